import type { ComponentPropsWithRef, MouseEvent } from 'react'
import { LOCALES } from '../../shared/language.ts'
import { useSite } from '../frame/site-context.ts'

/** Without JavaScript, submits the form in the header or, to show it in the other language, a form that the server has shown
 * again. Its text is in the other language. In the header, the trigger of radix-tooltip.tsx adds onClick, onFocus and others
 * to `props`. */
export function LanguageButton({ onClick, ...props }: ComponentPropsWithRef<'button'>) {
  const { nextLanguage, prepareLanguage, switchLanguage, isFormShownAgain } = useSite()
  const target = isFormShownAgain
    ? { form: 'contact-form', formAction: `/contact?lang=${nextLanguage}#request` }
    : { form: 'language' }
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    onClick?.(event)
    event.preventDefault()
    switchLanguage()
  }
  return (
    <button
      type="submit"
      name="lang"
      value={nextLanguage}
      lang={LOCALES[nextLanguage]}
      onClick={click}
      onPointerEnter={prepareLanguage}
      onKeyUp={prepareLanguage}
      {...props}
      {...target}
    />
  )
}
