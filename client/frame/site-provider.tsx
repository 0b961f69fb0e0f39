import { type ReactNode, startTransition, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { LANGUAGE_KEY } from '../../shared/constants.ts'
import { findLanguage, type Language, LOCALES } from '../../shared/language.ts'
import type { PageState } from '../../shared/page-state.ts'
import { findPage, getPage, getPath, getPrivacyPage, type Page } from '../../shared/pages.ts'
import { loadFrame, loadPage } from '../page-loader.ts'
import { storedLanguage } from '../storage.ts'
import { type FrameContent, SiteContext } from './site-context.ts'

/** Like the server, ignores a repeated `lang`. */
function findRequested(search: string): Language | undefined {
  const [requested, ...more] = new URLSearchParams(search).getAll('lang')
  return more.length === 0 ? findLanguage(requested) : undefined
}

/** The page that the server sent, until the visitor leaves it; after that, the page that the address names. */
function useCurrentPage(state: PageState): { page: Page; answer?: PageState } {
  const { pathname } = useLocation()
  const [first] = useState(pathname)
  const [hasMoved, setMoved] = useState(false)
  if (!hasMoved && pathname !== first) setMoved(true)
  if (pathname === first && !hasMoved) return { page: getPage(state.page), answer: state }
  return { page: findPage(pathname) ?? getPage('not-found') }
}

export function SiteProvider(props: {
  state: PageState
  texts: FrameContent
  children: ReactNode
}) {
  const { state, children } = props
  const { page, answer } = useCurrentPage(state)
  const [{ language, texts }, setShown] = useState({ language: state.language, texts: props.texts })

  /** The last chosen language. A later load of another language is ignored. */
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
      // Offline, the page stays as it is until the `online` event.
      if (wanted.current === next && navigator.onLine) window.location.assign(`?lang=${next}`)
    }
  }
  /** Shows a language and removes `lang` from the address. Replaces a privacy page by its other version. */
  const turnTo = (next: Language) => {
    show(next)
    const query = new URLSearchParams(search)
    const target = page.language && getPath(getPrivacyPage(next))
    if (!target && !query.has('lang')) return
    query.delete('lang')
    navigate({ pathname: target ?? pathname, search: query.toString(), hash }, { replace: true })
  }
  const setLanguage = (next: Language) => {
    storedLanguage.write(next)
    turnTo(next)
  }

  useEffect(() => {
    const { documentElement } = document
    // Even an equal value would make the browser restyle every element.
    if (documentElement.lang !== LOCALES[language]) documentElement.lang = LOCALES[language]
  }, [language])

  const start = useEffectEvent(() => {
    const chosen = findRequested(window.location.search) ?? storedLanguage.read() ?? language
    storedLanguage.write(chosen)
    if (chosen !== language) show(chosen)
  })
  /**
   * Adopts a language that was chosen in another tab, or while this page was in the back/forward cache. Retries a load
   * that failed offline.
   */
  const follow = useEffectEvent((event: Partial<StorageEvent & PageTransitionEvent>) => {
    const { key = LANGUAGE_KEY, persisted = true } = event
    if (key !== LANGUAGE_KEY || !persisted) return
    const chosen = storedLanguage.read() ?? wanted.current
    if (chosen === wanted.current) show(chosen)
    else turnTo(chosen)
  })
  /** Back and Forward may lead to an address whose `lang` is older than the last choice: the choice wins. */
  const dropStale = useEffectEvent((query: string) => {
    const requested = findRequested(query)
    if (requested && requested !== language) turnTo(language)
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

  const preload = (next: Language) => load(next).catch(() => {})

  const site = { state, page, answer, language, texts, setLanguage, preload }
  return <SiteContext value={site}>{children}</SiteContext>
}
