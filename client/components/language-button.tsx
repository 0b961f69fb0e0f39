import type { ComponentPropsWithRef, MouseEvent } from 'react'
import { LOCALES } from '../../shared/language.ts'
import { useSite } from '../frame/site-context.ts'

/** Submits the form in the header, so that it works without JavaScript. Its text is in the other language. */
export function LanguageButton(props: ComponentPropsWithRef<'button'>) {
  const { nextLanguage, prepareLanguage, switchLanguage, state } = useSite()
  /** Sends a refused form along, to be shown in the other language. */
  const ofRefusedForm = state.contact?.values && {
    form: 'contact-form',
    formAction: `/contact?lang=${nextLanguage}#request`,
    onClick(event: MouseEvent<HTMLButtonElement>) {
      props.onClick?.(event)
      event.preventDefault()
      switchLanguage()
    },
  }
  return (
    <button
      type="submit"
      form="language"
      name="lang"
      value={nextLanguage}
      lang={LOCALES[nextLanguage]}
      onPointerEnter={prepareLanguage}
      // The tooltip sets onFocus.
      onKeyUp={prepareLanguage}
      {...props}
      {...ofRefusedForm}
    />
  )
}
