import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { headOf, titleOf } from '../../shared/head.ts'
import type { Page } from '../../shared/pages.ts'
import { replaceHead } from '../head.ts'
import { useSite } from '../site.tsx'

/** After client routing and a change of language: the head, the scroll position, the focus, and a word to screen readers. */
export function RouteChanges({ page }: { page: Page }) {
  const { language, texts, state } = useSite()
  const { key, hash } = useLocation()
  const navigation = useNavigationType()
  const shown = useRef({ key, language })
  const [announcement, setAnnouncement] = useState('')

  useEffect(() => {
    const before = shown.current
    if (before.key === key && before.language === language) return
    shown.current = { key, language }
    replaceHead(headOf(page, language, texts, state.origin))
    if (before.language !== language) {
      setAnnouncement(texts.nav.languageChanged)
    } else {
      setAnnouncement(titleOf(page, texts))
      moveTo(hash, navigation === 'POP')
    }
  }, [key, language, page, texts, hash, navigation, state.origin])

  return (
    <p className="visually-hidden" role="status">
      {announcement}
    </p>
  )
}

function moveTo(hash: string, back: boolean): void {
  const target = hash ? document.getElementById(hash.slice(1)) : null
  const heading = target ?? document.querySelector<HTMLElement>('main h1')
  if (target) target.scrollIntoView()
  else if (!back) window.scrollTo(0, 0)
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
}
