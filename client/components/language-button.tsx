import type { ComponentPropsWithRef, MouseEvent } from 'react'
import { useSite } from '../frame/site-provider.tsx'

/** Without JavaScript, submits the form in the header or, to show it in the other language, a form that the server has shown
 * again. Its text is in the other language. In the header, the tooltip adds handlers to `props`, and would describe the button
 * by its own name. */
export function LanguageButton({ onClick, ...props }: ComponentPropsWithRef<'button'>) {
  const { documentState, nextLanguage, prepareLanguage, switchLanguage } = useSite()
  const target = documentState.contact?.isShownAgain
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
      lang={nextLanguage}
      onClick={click}
      onPointerEnter={prepareLanguage}
      onFocusCapture={prepareLanguage}
      {...props}
      {...target}
      aria-describedby={undefined}
    />
  )
}
