import {
  CONTACT_FIELDS,
  type Fault,
  type FieldRules,
  TYPED_FIELDS,
  type TypedField,
} from '../../shared/contact-fields.ts'
import { describeFieldFault } from '../../shared/contact-sentences.ts'
import { fill } from '../../shared/format.ts'
import type { FormValues } from '../../shared/page-state.ts'
import { SERVICE_IDS } from '../../shared/sectors.ts'
import { Icon } from '../components/icon.tsx'
import { useSite } from '../frame/site-provider.tsx'
import { useFormContext } from './form-provider.tsx'

/** Names and addresses are not words that a browser could correct. */
const VERBATIM = { spellCheck: false, autoCorrect: 'off' }

export function ContactFields({ values, faults = [] }: { values: FormValues; faults?: Fault[] }) {
  const { contact } = useSite().texts
  const { setService } = useFormContext()
  const { form } = contact
  const hints: Partial<Record<`${TypedField}Hint`, string>> = form

  return TYPED_FIELDS.map((id) => {
    const rules: FieldRules = CONTACT_FIELDS[id]
    const { kind, isRequired, minLength: min, maxLength: max, autoComplete } = rules
    const hint = hints[`${id}Hint`]
    const fault = faults.find(({ field }) => field === id)
    const described = [hint && `${id}-hint`, fault && `${id}-error`].filter(Boolean).join(' ')
    const attributes = {
      id,
      name: id,
      'aria-required': isRequired || undefined,
      autoComplete,
      'aria-describedby': described || undefined,
      'aria-invalid': fault && true,
    }
    // The document has the values: an extension may change them without an event.
    const typed = { ...attributes, defaultValue: values[id], dir: 'auto' }
    return (
      <div key={id} className="field" data-field={id}>
        <label htmlFor={id}>
          <span>{form[id]}</span> {!isRequired && <span className="hint">{form.optional}</span>}
        </label>
        {hint && (
          <p className="hint" id={`${id}-hint`}>
            {fill(hint, { min, max })}
          </p>
        )}
        {/* Always present: React cannot insert it before a control that an extension has wrapped. */}
        <p className="field-error" id={`${id}-error`}>
          {fault && describeFieldFault(fault, contact)}
        </p>
        {kind === 'line' && <input type="text" {...typed} {...VERBATIM} autoCapitalize="words" />}
        {kind === 'email' && (
          <input type="text" {...typed} {...VERBATIM} autoCapitalize="none" inputMode="email" />
        )}
        {kind === 'text' && <textarea rows={7} {...typed} />}
        {kind === 'choice' && (
          <span className="select">
            <select {...typed} onChange={(event) => setService(event.target.value)}>
              <option value="">{form.noService}</option>
              {SERVICE_IDS.map((service) => (
                <option key={service} value={service}>
                  {form.services[service]}
                </option>
              ))}
            </select>
            <Icon name="chevron" />
          </span>
        )}
      </div>
    )
  })
}
