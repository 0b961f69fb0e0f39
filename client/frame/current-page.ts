import { useState } from 'react'
import { useLocation } from 'react-router-dom'
import type { PageState } from '../../shared/page-state.ts'
import { findPage, getPage, type Page } from '../../shared/pages.ts'

/** What the server answered, until the visitor goes elsewhere; then the page that the address names. */
export function useCurrentPage(state: PageState): { page: Page; answer?: PageState } {
  const { pathname } = useLocation()
  const [first] = useState(pathname)
  const [moved, setMoved] = useState(false)
  if (!moved && pathname !== first) setMoved(true)
  if (pathname === first && !moved) return { page: getPage(state.page), answer: state }
  return { page: findPage(pathname) ?? getPage('not-found') }
}
