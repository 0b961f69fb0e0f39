import { useEffect, useRef } from 'react'
import { createPath, useLocation, useNavigationType } from 'react-router-dom'
import { getHeadTags, getTitle, type HeadTag } from '../../shared/head.ts'
import { getTwin, type Page } from '../../shared/pages.ts'
import { attempt } from '../attempt.ts'
import { useSite } from './site-provider.tsx'
import { announce } from './status.tsx'

/** Updates the head and announces a change of page or language. A new page or a followed link also moves the focus. */
export function NavigationEffects({ page }: { page: Page }) {
  const { language, texts, documentState } = useSite()
  const location = useLocation()
  const { key, hash } = location
  const url = createPath(location)
  const navigation = useNavigationType()
  const shown = useRef({ key, url, language, page })

  useEffect(() => {
    const before = shown.current
    // The privacy page in the other language is the same page.
    const isOtherPage = getTwin(before.page, language) !== getTwin(page, language)
    const isOtherLanguage = before.language !== language
    // React Router replaces the history entry when a link leads to the current URL.
    const isFollowedLink = before.key !== key && (navigation === 'PUSH' || before.url === url)
    const isFailure = isOtherPage && page.id === 'server-error'
    shown.current = { key, url, language, page }
    if (isOtherPage || isOtherLanguage)
      replaceHead(getHeadTags({ page, language, content: texts, origin: documentState.origin }))
    if (isOtherLanguage && !isFailure) {
      announce(texts.nav.languageChanged)
      // The page above the button of the footer may have become longer.
      attempt(() => document.querySelector('.footer :focus')?.scrollIntoView({ block: 'nearest' }))
    } else if (isOtherPage || isFollowedLink || isFailure) {
      announce(getTitle(page, texts))
      // After Back or Forward, the browser has already restored the scroll position.
      attempt(() => moveTo(isFailure ? '' : hash, navigation === 'POP' && !isFailure))
    }
  }, [key, url, language, page, texts, hash, navigation, documentState.origin])

  return null
}

function moveTo(hash: string, isRestored: boolean): void {
  const target = hash ? document.getElementById(hash.slice(1)) : null
  const focused = target ?? document.querySelector<HTMLElement>('main h1')
  if (target) target.scrollIntoView()
  else if (!isRestored) window.scrollTo(0, 0)
  if (focused && focused.tabIndex < 0) focused.tabIndex = -1
  focused?.focus({ preventScroll: true })
}

function replaceHead(tags: HeadTag[]): void {
  for (const old of document.head.querySelectorAll('[data-head]')) old.remove()
  for (const { name, attributes, text } of tags) {
    if (name === 'title') {
      document.title = text ?? ''
      continue
    }
    const element = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
    element.dataset.head = ''
    document.head.append(element)
  }
}
