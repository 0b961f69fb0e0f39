import type { FormEvent } from 'react'
import { LOCALES, otherLanguage } from '../../shared/language.ts'
import { type Page, pathOf, privacyPage } from '../../shared/pages.ts'
import { Tooltip } from '../components/tooltip.tsx'
import { useSite } from './site-context.tsx'

export function LanguageToggle({ page }: { page: Page }) {
  const { language, texts, state, setLanguage } = useSite()
  const sent = state.contact?.sent
  const { code, name } = texts.nav.toggle
  const next = otherLanguage(language)
  const target = page.language && pathOf(privacyPage(next))

  const toggle = (event: FormEvent) => {
    event.preventDefault()
    setLanguage(next)
  }

  return (
    <form className="language-toggle" action={target} onSubmit={toggle}>
      {typeof sent === 'string' && <input type="hidden" name="sent" value={sent} />}
      <Tooltip text={name} language={next}>
        <button className="toggle" type="submit" name="lang" value={next} lang={LOCALES[next]}>
          <span>{code}</span>
          <span className="visually-hidden">{`, ${name}`}</span>
        </button>
      </Tooltip>
    </form>
  )
}
