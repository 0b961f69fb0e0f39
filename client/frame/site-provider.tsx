import {
  type ReactNode,
  startTransition,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import {
  findLanguage,
  LANGUAGE_KEY,
  type Language,
  LOCALES,
  otherLanguage,
} from '../../shared/language.ts'
import type { PageState } from '../../shared/page-state.ts'
import { findPage, getPage, getPath, getTwin, type Page } from '../../shared/pages.ts'
import { hasVisitorText } from '../form/visitor-text.ts'
import { loadFrame, loadPage } from '../page-loader.ts'
import { storedLanguage } from '../storage.ts'
import { type FrameContent, SiteContext } from './site-context.ts'
import { toasts } from './toast-store.tsx'

/** Like the server, ignores `lang` if it occurs more than once. */
function findRequested(search: string): Language | undefined {
  const [requested, ...more] = new URLSearchParams(search).getAll('lang')
  return more.length === 0 ? findLanguage(requested) : undefined
}

/** The page that the server sent; once the visitor has opened another page, the page of the URL. */
function useCurrentPage(documentState: PageState): { page: Page; initialState?: PageState } {
  const { pathname } = useLocation()
  const [first] = useState(pathname)
  const [hasMoved, setMoved] = useState(false)
  if (!hasMoved && pathname !== first) setMoved(true)
  if (pathname === first && !hasMoved)
    return { page: getPage(documentState.page), initialState: documentState }
  return { page: findPage(pathname) ?? getPage('not-found') }
}

/**
 * The language is in four places: `language` is shown; `chosen` is shown or still loading; the storage has the last choice of
 * any tab; `lang` in the URL is a request, which the first document has followed. `show` makes them agree.
 */
export function SiteProvider(props: {
  documentState: PageState
  texts: FrameContent
  children: ReactNode
}) {
  const { documentState, children } = props
  const { page, initialState } = useCurrentPage(documentState)
  const [{ language, texts }, setShown] = useState({
    language: documentState.language,
    texts: props.texts,
  })

  const chosen = useRef(language)
  const { search } = useLocation()
  const navigate = useNavigate()

  /** PageView then finds the page loaded, so nothing suspends below flushSync. */
  const load = (next: Language) => Promise.all([loadFrame(next), loadPage(page.id, next)])
  const nextLanguage = otherLanguage(language)
  const prepareLanguage = () => void load(nextLanguage).catch(() => {})

  /** Shows a language; NavigationEffects then announces it. Only a choice of this tab's button is stored. After a
   * failure, the browser loads the document in that language or, for such a choice, a toast says that the language stays. */
  const show = async (next: Language, isOwnChoice = false) => {
    chosen.current = next
    try {
      const [frame] = await load(next)
      if (chosen.current !== next) return
      if (isOwnChoice) storedLanguage.write(next)
      updateUrl(next)
      // The toast is in the old language; the page has its text in the new one.
      toasts.dismiss(toasts.get()?.id)
      startTransition(() =>
        setShown((now) => (now.language === next ? now : { language: next, texts: frame })),
      )
    } catch {
      const isReachable = await fetch(window.location.pathname, { method: 'HEAD' }).catch(
        () => false,
      )
      if (chosen.current !== next) return
      const url = new URL(window.location.href)
      url.searchParams.set('lang', next)
      // A newer build may have removed the texts, but the server has them.
      if (isReachable && !hasVisitorText()) return window.location.assign(url)
      chosen.current = language
      const { title, description } = texts.nav.languageFailed
      if (isOwnChoice) toasts.show({ variant: 'destructive', title, description })
    }
  }

  /** Removes `lang` from the URL; the privacy policy also changes its path. */
  const updateUrl = (next: Language) => {
    // The router's location is older than the URL while the next page loads.
    const url = new URL(window.location.href)
    const urlPage = findPage(url.pathname)
    const isElsewhere = urlPage !== undefined && getTwin(urlPage, next) !== urlPage.id
    if (!isElsewhere && !url.searchParams.has('lang')) return
    url.searchParams.delete('lang')
    if (isElsewhere) url.pathname = getPath(getTwin(urlPage, next))
    navigate(url.pathname + url.search + url.hash, { replace: true })
  }

  const switchLanguage = () => void show(nextLanguage, true)

  // The styles give each language its side, so `lang` changes before the browser paints.
  useLayoutEffect(() => {
    const { documentElement } = document
    // Setting even an equal value would make the browser restyle every element.
    if (documentElement.lang !== LOCALES[language]) documentElement.lang = LOCALES[language]
  }, [language])

  const storeLanguage = useEffectEvent(() => {
    storedLanguage.write(findRequested(search) ?? storedLanguage.read() ?? language)
  })
  /** Shows the choice that another tab or document has stored. */
  const adoptStored = useEffectEvent(() => {
    const stored = storedLanguage.read() ?? chosen.current
    if (stored !== chosen.current) show(stored)
  })
  /** The Back button can lead to a URL with the `lang` of an earlier choice. The last choice stays. */
  const dropEarlierRequest = useEffectEvent((requested?: Language) => {
    if (requested && requested !== chosen.current) updateUrl(chosen.current)
  })

  useEffect(() => {
    storeLanguage()
    adoptStored()
    const follow = (event: StorageEvent | PageTransitionEvent) => {
      if ('key' in event ? event.key === LANGUAGE_KEY : event.persisted) adoptStored()
    }
    const events = ['pageshow', 'storage'] as const
    for (const event of events) window.addEventListener(event, follow)
    return () => {
      for (const event of events) window.removeEventListener(event, follow)
    }
  }, [])
  useEffect(() => dropEarlierRequest(findRequested(search)), [search])

  const site = {
    documentState,
    isFormShownAgain: documentState.contact?.isShownAgain ?? false,
    page,
    initialState,
    language,
    texts,
    nextLanguage,
    prepareLanguage,
    switchLanguage,
  }
  return <SiteContext value={site}>{children}</SiteContext>
}
