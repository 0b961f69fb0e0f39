import {
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
} from 'react'
import { findLanguage, type Language, LOCALES } from '../shared/language.ts'
import type { PageState } from '../shared/page-state.ts'
import type { Page } from '../shared/pages.ts'
import { useCurrentPage } from './current-page.ts'
import { readLanguage, writeLanguage } from './storage.ts'
import { type FrameTexts, loadFrame, loadPage } from './views.ts'

interface Site {
  state: PageState
  /** The page that the address names, and what the server answered with while that is the same. */
  page: Page
  answer?: PageState
  language: Language
  /** What the frame says. */
  texts: FrameTexts
  /** Shows the site in a language and remembers it. */
  setLanguage(language: Language): void
}

const SiteContext = createContext<Site | undefined>(undefined)

export function useSite(): Site {
  const site = useContext(SiteContext)
  if (!site) throw new Error('useSite stands outside SiteProvider')
  return site
}

export function SiteProvider(props: { state: PageState; texts: FrameTexts; children: ReactNode }) {
  const { state, children } = props
  const { page, answer } = useCurrentPage(state)
  const [{ language, texts }, setShown] = useState({ language: state.language, texts: props.texts })

  const show = (next: Language) => {
    Promise.all([loadFrame(next), loadPage(page.id, next)]).then(
      ([frame]) => startTransition(() => setShown({ language: next, texts: frame })),
      () => window.location.assign(`?lang=${next}`),
    )
  }
  const setLanguage = (next: Language) => {
    writeLanguage(next)
    show(next)
  }

  useEffect(() => {
    document.documentElement.lang = LOCALES[language]
  }, [language])

  const start = useEffectEvent(() => {
    const asked = findLanguage(new URLSearchParams(window.location.search).get('lang'))
    const chosen = asked ?? readLanguage() ?? language
    writeLanguage(chosen)
    if (chosen !== language) show(chosen)
  })
  /** Another page has written the stores. */
  const follow = useEffectEvent((event: Event) => {
    const stored = readLanguage()
    if (stored && (event instanceof StorageEvent || (event as PageTransitionEvent).persisted)) {
      show(stored)
    }
  })

  useEffect(() => {
    start()
    window.addEventListener('pageshow', follow)
    window.addEventListener('storage', follow)
    return () => {
      window.removeEventListener('pageshow', follow)
      window.removeEventListener('storage', follow)
    }
  }, [])

  const site = { state, page, answer, language, texts, setLanguage }
  return <SiteContext value={site}>{children}</SiteContext>
}
