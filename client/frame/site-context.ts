import { createContext, useContext } from 'react'
import type { Content } from '../../shared/content/index.ts'
import type { Language } from '../../shared/language.ts'
import type { PageState } from '../../shared/page-state.ts'
import type { PageId } from '../../shared/pages.ts'

export interface ViewProps {
  page: PageId
}

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

export const SiteContext = createContext<Site | undefined>(undefined)

export function useSite(): Site {
  const site = useContext(SiteContext)
  if (!site) throw new Error('useSite needs a SiteProvider above it')
  return site
}
