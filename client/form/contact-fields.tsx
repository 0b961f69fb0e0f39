import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { MESSAGE_MAX_LENGTH, MESSAGE_MIN_LENGTH, SERVICE_IDS } from '../../shared/constants.ts'
import type { Fault } from '../../shared/contact-fields.ts'
import { describeFieldFault } from '../../shared/contact-sentences.ts'
import { fill } from '../../shared/format.ts'
import type { ViewContent } from '../../shared/page-content.ts'
import type { FormValues } from '../../shared/page-state.ts'

interface ContactFieldsProps {
  texts: ViewContent['contact']
  values?: FormValues
  faults?: Fault[]
}

export function ContactFields({ texts, values = {}, faults = [] }: ContactFieldsProps) {
  const { form } = texts

  const field = (name: string) => {
    const fault = faults.find((each) => each.field === name)
    return {
      id: name,
      name,
      defaultValue: values[name],
      error: fault && describeFieldFault(fault, texts),
    }
  }

  return (
    <>
      <Field {...field('firstName')} label={form.firstName} required autoComplete="given-name" />
      <Field {...field('lastName')} label={form.lastName} required autoComplete="family-name" />
      <Field
        {...field('email')}
        label={form.email}
        hint={form.emailHint}
        required
        autoComplete="email"
        inputMode="email"
        spellCheck={false}
      />
      <Field {...field('service')} label={form.service} mark={form.optional}>
        {(props) => (
          <select {...props}>
            <option value="">{form.noService}</option>
            {SERVICE_IDS.map((id) => (
              <option key={id} value={id}>
                {form.services[id]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        {...field('message')}
        label={form.message}
        required
        hint={fill(form.messageHint, { min: MESSAGE_MIN_LENGTH, max: MESSAGE_MAX_LENGTH })}
      >
        {(props) => <textarea rows={7} {...props} />}
      </Field>
    </>
  )
}

type ControlProps = Pick<
  ComponentPropsWithoutRef<'input'>,
  'name' | 'defaultValue' | 'required' | 'autoComplete' | 'spellCheck' | 'inputMode'
> & { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }

interface FieldProps extends ControlProps {
  label: string
  mark?: string
  hint?: string
  error?: string
  /** Renders the control; without this function, the control is an input. */
  children?: (props: ControlProps) => ReactNode
}

function Field({ label, mark, hint, error, children, ...control }: FieldProps) {
  const { id } = control
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  const props: ControlProps = {
    ...control,
    'aria-describedby': described || undefined,
    'aria-invalid': error ? true : undefined,
  }
  return (
    <div className="field" data-field={id}>
      <label htmlFor={id}>
        <span>{label}</span> {mark && <span className="hint">{mark}</span>}
      </label>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {/* Always present: React cannot insert it before a control that an extension has wrapped. */}
      <p className="field-error" id={`${id}-error`}>
        {error}
      </p>
      {children ? children(props) : <input type="text" {...props} />}
    </div>
  )
}
