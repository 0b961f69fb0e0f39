import {
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useState,
} from 'react'
import type { Content } from '../shared/content/content.ts'
import { findLanguage, type Language, LOCALES } from '../shared/language.ts'
import type { PageState } from '../shared/page-state.ts'
import { readLanguage, writeLanguage } from './storage.ts'
import { loadTexts } from './texts.ts'

interface Site {
  state: PageState
  language: Language
  texts: Content
  /** Shows the site in a language and remembers it. */
  setLanguage(language: Language): void
}

const SiteContext = createContext<Site | undefined>(undefined)

export function useSite(): Site {
  const site = useContext(SiteContext)
  if (!site) throw new Error('useSite stands outside SiteProvider')
  return site
}

export function SiteProvider(props: { state: PageState; texts: Content; children: ReactNode }) {
  const { state, children } = props
  const [{ language, texts }, setShown] = useState({ language: state.language, texts: props.texts })

  const show = (next: Language) => {
    loadTexts(next).then(
      (loaded) => startTransition(() => setShown({ language: next, texts: loaded })),
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: the stores are read once, and when another page has written them
  useEffect(() => {
    const asked = findLanguage(new URLSearchParams(window.location.search).get('lang'))
    const chosen = asked ?? readLanguage() ?? language
    writeLanguage(chosen)
    if (chosen !== language) show(chosen)
    const follow = (event: Event) => {
      const stored = readLanguage()
      if (stored && (event instanceof StorageEvent || (event as PageTransitionEvent).persisted)) {
        show(stored)
      }
    }
    window.addEventListener('pageshow', follow)
    window.addEventListener('storage', follow)
    return () => {
      window.removeEventListener('pageshow', follow)
      window.removeEventListener('storage', follow)
    }
  }, [])

  return <SiteContext value={{ state, language, texts, setLanguage }}>{children}</SiteContext>
}
