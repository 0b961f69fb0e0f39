import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import {
  CONTACT_FIELDS,
  type Fault,
  type FieldRules,
  TYPED_FIELDS,
  type TypedField,
} from '../../shared/contact-fields.ts'
import { describeFieldFault } from '../../shared/contact-sentences.ts'
import { fill } from '../../shared/format.ts'
import type { ViewContent } from '../../shared/page-content.ts'
import type { FormValues } from '../../shared/page-state.ts'
import { SERVICE_IDS } from '../../shared/sectors.ts'

interface ContactFieldsProps {
  texts: ViewContent['contact']
  values?: FormValues
  faults?: Fault[]
}

export function ContactFields({ texts, values = {}, faults = [] }: ContactFieldsProps) {
  const { form } = texts

  const hints: Partial<Record<`${TypedField}Hint`, string>> = form

  const controls: Partial<Record<FieldRules['kind'], (props: ControlProps) => ReactNode>> = {
    email: (props) => <input type="text" {...props} inputMode="email" spellCheck={false} />,
    choice: (props) => (
      <select {...props}>
        <option value="">{form.noService}</option>
        {SERVICE_IDS.map((id) => (
          <option key={id} value={id}>
            {form.services[id]}
          </option>
        ))}
      </select>
    ),
    text: (props) => <textarea rows={7} {...props} />,
  }

  return (
    <>
      {TYPED_FIELDS.map((name) => {
        const rules: FieldRules = CONTACT_FIELDS[name]
        const { kind, isRequired, minLength: min, maxLength: max, autoComplete } = rules
        const hint = hints[`${name}Hint`]
        const fault = faults.find((each) => each.field === name)
        return (
          <Field
            key={name}
            id={name}
            name={name}
            label={form[name]}
            mark={isRequired ? undefined : form.optional}
            hint={hint && fill(hint, { min, max })}
            error={fault && describeFieldFault(fault, texts)}
            defaultValue={values[name]}
            required={isRequired}
            autoComplete={autoComplete}
          >
            {controls[kind]}
          </Field>
        )
      })}
    </>
  )
}

type ControlProps = Pick<
  ComponentPropsWithoutRef<'input'>,
  'name' | 'defaultValue' | 'required' | 'autoComplete'
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
