import type { ComponentPropsWithRef } from 'react'
import { LOCALES, otherLanguage } from '../../shared/language.ts'
import { useSite } from '../frame/site-context.ts'

/** Submits the form in the header, so that it works without JavaScript. Its text is in the other language. */
export function LanguageButton(props: ComponentPropsWithRef<'button'>) {
  const { language, prepareTurn } = useSite()
  const next = otherLanguage(language)
  return (
    <button
      type="submit"
      form="language"
      name="lang"
      value={next}
      lang={LOCALES[next]}
      onPointerEnter={prepareTurn}
      // The tooltip sets onFocus.
      onKeyUp={prepareTurn}
      {...props}
    />
  )
}
