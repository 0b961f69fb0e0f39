import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
} from 'react'
import { createPath, type Path, useLocation, useNavigate } from 'react-router-dom'
import type { Content } from '../../shared/content/index.ts'
import { loadContent } from '../../shared/content/load-content.ts'
import { type Language, otherLanguage } from '../../shared/language.ts'
import type { PageState } from '../../shared/page-state.ts'
import { findPage, getPath, getTwin } from '../../shared/pages.ts'
import { attempt } from '../attempt.ts'
import { loadInTime } from '../load-in-time.ts'
import { storedLanguage } from '../storage.ts'
import { toasts } from './toasts.ts'

interface Site {
  /** Of the document that the server sent; never changes. */
  documentState: PageState
  language: Language
  /** All texts in `language`. */
  texts: Content
  nextLanguage: Language
  /** Loads the texts of the other language before the click: a change more than 0.5 s after the click counts as a layout shift. */
  prepareLanguage(): void
  switchLanguage(): void
}

const SiteContext = createContext<Site | undefined>(undefined)

export function useSite(): Site {
  const site = useContext(SiteContext)
  if (!site) throw new Error('useSite needs a SiteProvider above it')
  return site
}

type SiteProviderProps = Pick<Site, 'documentState' | 'texts'> & { children: ReactNode }

/** The language: shown by this state, stored only if the visitor has chosen it, and never in contradiction to the URL. */
export function SiteProvider({ documentState, children, ...first }: SiteProviderProps) {
  const [shown, setShown] = useState({ language: documentState.language, texts: first.texts })
  const { language, texts } = shown
  const nextLanguage = otherLanguage(language)
  const navigate = useNavigate()
  const location = useLocation()

  /** Shows and stores a choice. Rejects, and changes nothing, if its texts cannot be loaded. */
  const choose = async (next: Language) => {
    const nextTexts = await loadInTime(loadContent(next))
    storedLanguage.write(next)
    setShown({ language: next, texts: nextTexts })
    // The page has its text, in the new language.
    toasts.dismiss()
  }

  const switchLanguage = () => {
    choose(nextLanguage).catch(() => toasts.show('language-failed'))
  }

  /** Shows the choice that another document has stored. The server knows it only if its cookie has lasted. */
  const adoptChoice = useEffectEvent(() => {
    const choice = storedLanguage.read()
    if (choice && choice !== language) choose(choice).catch(() => {})
  })
  useEffect(() => {
    const requested = new URLSearchParams(window.location.search).get('lang')
    // A visitor who comes back may have chosen another language since.
    if (requested === documentState.language && !isReturn()) storedLanguage.write(requested)
    adoptChoice()
    const adoptAfterReturn = ({ persisted }: PageTransitionEvent) => persisted && adoptChoice()
    window.addEventListener('pageshow', adoptAfterReturn)
    return () => window.removeEventListener('pageshow', adoptAfterReturn)
  }, [documentState.language])

  // After a choice, and after a return to a page that was left before it.
  useEffect(() => {
    const url = findUrl(location, language)
    if (url !== createPath(location)) navigate(url, { replace: true })
  }, [location, language, navigate])

  // The styles give each language its side, so `lang` changes before the browser paints. Even the same value would make
  // the browser calculate the styles of the whole page again.
  useLayoutEffect(() => {
    const { documentElement } = document
    if (documentElement.lang !== language) documentElement.lang = language
  }, [language])

  const site = {
    documentState,
    language,
    texts,
    nextLanguage,
    prepareLanguage: () => void loadContent(nextLanguage).catch(() => {}),
    switchLanguage,
  }
  return <SiteContext value={site}>{children}</SiteContext>
}

/** True if the document was left, and loaded again for Back or Forward. */
function isReturn(): boolean {
  const [entry] = attempt(() => performance.getEntriesByType('navigation')) ?? []
  return entry?.toJSON().type === 'back_forward'
}

/** The URL of the page in a language: without a `lang` that names another one. The privacy policy has a path for each. */
function findUrl({ pathname, search, hash }: Path, language: Language): string {
  const page = findPage(pathname)
  const query = new URLSearchParams(search)
  const isOther = query.has('lang') && query.get('lang') !== language
  query.delete('lang')
  return createPath({
    pathname: page ? getPath(getTwin(page, language)) : pathname,
    search: isOther ? String(query) : search,
    hash,
  })
}
