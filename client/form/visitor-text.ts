import type { FormValues } from '../../shared/page-state.ts'
import type { FormState } from './form-state.ts'

/** The form outlives its page, because the visitor may open another page before the message is sent. Never set on the server. */
export const kept: { form?: FormState } = {}

export const findForm = () =>
  globalThis.document?.querySelector<HTMLFormElement>('.contact-form form')

export const readForm = (form: HTMLFormElement): FormValues =>
  Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))

/** The values in the form, also before hydration, or those that were kept when the visitor opened another page. */
export function findValues(): FormValues {
  const form = findForm()
  return (form ? readForm(form) : kept.form?.values) ?? {}
}

/** Each way to load a new document asks this first, because the document loses the text. */
export function hasVisitorText(): boolean {
  const { formStartTime: _, ...typed } = findValues()
  // A link to the form may have chosen the service.
  const linked = new URLSearchParams(window.location.search).get('service')
  return Object.values(typed).some((value) => value && value !== linked)
}
