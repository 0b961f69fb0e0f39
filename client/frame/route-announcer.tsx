import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { headOf, titleOf } from '../../shared/head.ts'
import type { Page } from '../../shared/pages.ts'
import { findPage } from '../page-loader.ts'
import { replaceHead } from './head.ts'
import { useSite } from './site-context.tsx'

/** When another page or language is shown: the head, the scroll position, the focus, and a word to screen readers. */
export function RouteChanges({ page }: { page: Page }) {
  const { language, texts, state } = useSite()
  const { key, hash } = useLocation()
  const navigation = useNavigationType()
  const shown = useRef({ key, language, page })
  const [announcement, setAnnouncement] = useState('')

  useEffect(() => {
    const before = shown.current
    const turned = before.page.id !== page.id
    const spoken = before.language !== language
    const followed = before.key !== key && navigation === 'PUSH'
    shown.current = { key, language, page }
    const words = findPage(page.id, language)?.texts
    if (!words) return
    const { brand } = texts
    if (turned || spoken)
      replaceHead(headOf({ page, language, words, brand, origin: state.origin }))
    if (spoken) {
      setAnnouncement(texts.nav.languageChanged)
    } else if ((turned && navigation !== 'REPLACE') || followed) {
      setAnnouncement(titleOf(words, brand))
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
  const place = target ?? document.querySelector<HTMLElement>('main h1')
  if (target) target.scrollIntoView()
  else if (!back) window.scrollTo(0, 0)
  if (place && !place.hasAttribute('tabindex')) place.tabIndex = -1
  place?.focus({ preventScroll: true })
}
