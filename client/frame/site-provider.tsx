import {
  type ReactNode,
  startTransition,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { useLocation, useNavigate } from 'react-router-dom'
import { findLanguage, type Language, LOCALES, otherLanguage } from '../../shared/language.ts'
import type { PageState } from '../../shared/page-state.ts'
import { findPage, getPage, getPath, getTwin, type Page } from '../../shared/pages.ts'
import { loadFrame, loadPage } from '../page-loader.ts'
import { storedLanguage } from '../storage.ts'
import { type FrameContent, SiteContext } from './site-context.ts'

/** Like the server, ignores `lang` if it occurs more than once. */
function findRequested(search: string): Language | undefined {
  const [requested, ...more] = new URLSearchParams(search).getAll('lang')
  return more.length === 0 ? findLanguage(requested) : undefined
}

/** The page that the server sent; once the visitor has opened another page, the page of the URL. */
function useCurrentPage(state: PageState): { page: Page; initialState?: PageState } {
  const { pathname } = useLocation()
  const [first] = useState(pathname)
  const [hasMoved, setMoved] = useState(false)
  if (!hasMoved && pathname !== first) setMoved(true)
  if (pathname === first && !hasMoved) return { page: getPage(state.page), initialState: state }
  return { page: findPage(pathname) ?? getPage('not-found') }
}

export function SiteProvider(props: {
  state: PageState
  texts: FrameContent
  children: ReactNode
}) {
  const { state, children } = props
  const { page, initialState } = useCurrentPage(state)
  const [{ language, texts }, setShown] = useState({ language: state.language, texts: props.texts })

  /** The language chosen last. If the texts of an earlier choice are loaded later, they are ignored. */
  const wanted = useRef(language)
  const { search } = useLocation()
  const navigate = useNavigate()

  const load = (next: Language) => Promise.all([loadFrame(next), loadPage(page.id, next)])
  const nextLanguage = otherLanguage(language)
  const prepareTurn = () => void load(nextLanguage).catch(() => {})

  /** Shows a language, animated if `isMoving`. Removes `lang` from the URL; the privacy policy also changes its path. */
  const turnTo = async (next: Language, isMoving = false) => {
    wanted.current = next
    try {
      const [frame] = await load(next)
      if (wanted.current !== next) return
      moveToTwin(next)
      const show = () =>
        setShown((now) => (now.language === next ? now : { language: next, texts: frame }))
      if (isMoving && document.startViewTransition) {
        const transition = document.startViewTransition(() => flushSync(show))
        // Rejects if the browser skips the animation, for example in a hidden window.
        transition.ready.catch(() => {})
      } else startTransition(show)
    } catch {
      if (wanted.current === next) await loadFromServer(next)
    }
  }

  const moveToTwin = (next: Language) => {
    // The router's location is older than the URL while the next page loads.
    const url = new URL(window.location.href)
    const shown = findPage(url.pathname)
    const isElsewhere = shown !== undefined && getTwin(shown, next) !== shown.id
    if (!isElsewhere && !url.searchParams.has('lang')) return
    url.searchParams.delete('lang')
    if (isElsewhere) url.pathname = getPath(getTwin(shown, next))
    navigate(url.pathname + url.search + url.hash, { replace: true })
  }

  /** A newer build may have removed the texts, but the server has them. Keeps the page if leaving it would lose something. */
  const loadFromServer = async (next: Language) => {
    const url = new URL(window.location.href)
    url.searchParams.set('lang', next)
    const fields = document.querySelectorAll<HTMLInputElement>('main :is(input, textarea)')
    const isEdited = [...fields].some(({ value, defaultValue }) => value !== defaultValue)
    const isReachable = await fetch(url, { method: 'HEAD' }).catch(() => false)
    if (isReachable && !isEdited) window.location.assign(url)
    else {
      wanted.current = language
      storedLanguage.write(language)
    }
  }

  const turn = () => {
    storedLanguage.write(nextLanguage)
    turnTo(nextLanguage, true)
  }

  // The styles give each language its side, so `lang` changes before the browser paints.
  useLayoutEffect(() => {
    const { documentElement } = document
    // Setting even an equal value would make the browser restyle every element.
    if (documentElement.lang !== LOCALES[language]) documentElement.lang = LOCALES[language]
  }, [language])

  const start = useEffectEvent(() => {
    storedLanguage.write(findRequested(search) ?? storedLanguage.read() ?? language)
  })
  /** Shows the stored choice, which another tab or document may have changed, rather than the `lang` of the URL. */
  const adoptStored = useEffectEvent((requested?: Language) => {
    const chosen = storedLanguage.read() ?? wanted.current
    if (chosen !== wanted.current || (requested && requested !== chosen)) turnTo(chosen)
  })

  useEffect(() => {
    start()
    const follow = () => adoptStored()
    const events = ['pageshow', 'storage'] as const
    for (const event of events) window.addEventListener(event, follow)
    return () => {
      for (const event of events) window.removeEventListener(event, follow)
    }
  }, [])
  // The Back button can lead to a URL with the `lang` of an earlier choice.
  useEffect(() => adoptStored(findRequested(search)), [search])

  const site = { state, page, initialState, language, texts, nextLanguage, prepareTurn, turn }
  return <SiteContext value={site}>{children}</SiteContext>
}
