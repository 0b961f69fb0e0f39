import {
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { LANGUAGE_KEY } from '../../shared/constants.ts'
import { findLanguage, type Language, LOCALES } from '../../shared/language.ts'
import type { PageState } from '../../shared/page-state.ts'
import { type Page, pathOf, privacyPage } from '../../shared/pages.ts'
import { type FrameTexts, loadFrame, loadPage } from '../page-loader.ts'
import { readLanguage, writeLanguage } from '../storage.ts'
import { useCurrentPage } from './current-page.ts'
import { loadToaster } from './toast-outlet.tsx'

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
  /** Loads another language and the code of toasts, so that nothing can go wrong when they are wanted. */
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

  /** The language chosen last: of two that are being loaded it is the one to show. */
  const wanted = useRef(language)
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()

  const load = (next: Language) => Promise.all([loadFrame(next), loadPage(page.id, next)])
  const show = async (next: Language) => {
    wanted.current = next
    try {
      const [frame] = await load(next)
      if (wanted.current !== next) return
      startTransition(() =>
        setShown((now) => (now.language === next ? now : { language: next, texts: frame })),
      )
    } catch {
      // Without a line the page stays; it follows when there is one again.
      if (wanted.current === next && navigator.onLine) window.location.assign(`?lang=${next}`)
    }
  }
  /** Shows a language under an address that does not name another: a privacy page has a twin. */
  const turnTo = (next: Language) => {
    show(next)
    const query = new URLSearchParams(search)
    const target = page.language && pathOf(privacyPage(next))
    if (!target && !query.has('lang')) return
    query.delete('lang')
    navigate({ pathname: target ?? pathname, search: query.toString(), hash }, { replace: true })
  }
  const setLanguage = (next: Language) => {
    writeLanguage(next)
    turnTo(next)
  }

  useEffect(() => {
    document.documentElement.lang = LOCALES[language]
  }, [language])

  const start = useEffectEvent(() => {
    const chosen = findAsked(window.location.search) ?? readLanguage() ?? language
    writeLanguage(chosen)
    if (chosen !== language) show(chosen)
  })
  /** Another page may have written the stores, or there is a line again to load what was wanted. */
  const follow = useEffectEvent((event: Partial<StorageEvent & PageTransitionEvent>) => {
    const { key = LANGUAGE_KEY, persisted = true } = event
    if (key !== LANGUAGE_KEY || !persisted) return
    const chosen = readLanguage() ?? wanted.current
    if (chosen === wanted.current) show(chosen)
    else turnTo(chosen)
  })
  /** On the way back to an address that asked for another language than was chosen since. */
  const dropStale = useEffectEvent((query: string) => {
    const asked = findAsked(query)
    if (asked && asked !== language) turnTo(language)
  })

  useEffect(() => {
    start()
    const events = ['pageshow', 'storage', 'online'] as const
    for (const event of events) window.addEventListener(event, follow)
    return () => {
      for (const event of events) window.removeEventListener(event, follow)
    }
  }, [])
  useEffect(() => dropStale(search), [search])

  const prepare = (next: Language) => Promise.all([load(next), loadToaster()]).catch(() => {})

  const site = { state, page, answer, language, texts, setLanguage, prepare }
  return <SiteContext value={site}>{children}</SiteContext>
}
