import {
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
} from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
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
  /** Loads what another language needs, so that nothing can go wrong when it is wanted. */
  prepare(language: Language): void
}

/** As the server reads it: one that is asked for twice is not asked for. */
function findAsked(search: string): Language | undefined {
  const [asked, ...more] = new URLSearchParams(search).getAll('lang')
  return more.length === 0 ? findLanguage(asked) : undefined
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

  const { search, hash } = useLocation()
  const navigate = useNavigate()

  const load = (next: Language) => Promise.all([loadFrame(next), loadPage(page.id, next)])
  const show = (next: Language) => {
    load(next).then(
      ([frame]) => startTransition(() => setShown({ language: next, texts: frame })),
      // Without a line the page stays; it follows when there is one again.
      () => navigator.onLine && window.location.assign(`?lang=${next}`),
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
    const chosen = findAsked(window.location.search) ?? readLanguage() ?? language
    writeLanguage(chosen)
    if (chosen !== language) show(chosen)
  })
  /** Another page has written the stores. */
  const follow = useEffectEvent((event: Event) => {
    const stored = readLanguage()
    if (stored && (event.type !== 'pageshow' || (event as PageTransitionEvent).persisted)) {
      show(stored)
    }
  })
  /** On the way back to an address that asked for another language than was chosen since. */
  const dropStale = useEffectEvent((query: string) => {
    const asked = findAsked(query)
    if (!asked || asked === language) return
    const rest = new URLSearchParams(query)
    rest.delete('lang')
    navigate({ search: rest.toString(), hash }, { replace: true })
  })

  useEffect(() => {
    start()
    window.addEventListener('pageshow', follow)
    const events = ['pageshow', 'storage', 'online']
    for (const event of events) window.addEventListener(event, follow)
    return () => {
      for (const event of events) window.removeEventListener(event, follow)
    }
  }, [])
  useEffect(() => dropStale(search), [search])

  const prepare = (next: Language) => load(next).catch(() => {})

  const site = { state, page, answer, language, texts, setLanguage, prepare }
  return <SiteContext value={site}>{children}</SiteContext>
}
