import { createContext, useContext } from 'react'
import type { Language } from '../../shared/language.ts'
import type { PageContent, ViewContent } from '../../shared/page-content.ts'
import type { PageState } from '../../shared/page-state.ts'
import type { Page, PageId, ViewName } from '../../shared/pages.ts'

export type FrameContent = PageContent['frame']

export interface ViewProps<Name extends ViewName> {
  page: PageId
  texts: ViewContent[Name]
}

interface Site {
  documentState: PageState
  /** `isShownAgain` of `documentState.contact`. If true, the language button belongs to the contact form. */
  isFormShownAgain: boolean
  /** Not always the page of the URL: the server may have sent an error page. */
  page: Page
  /** Equals `documentState`, which never changes, until the visitor opens another page; then missing. */
  initialState?: PageState
  language: Language
  texts: FrameContent
  /** Loads the texts of the other language before the click: a change more than 0.5 s after the click counts as a layout shift. */
  prepareLanguage(): void
  nextLanguage: Language
  switchLanguage(): void
}

export const SiteContext = createContext<Site | undefined>(undefined)

export function useSite(): Site {
  const site = useContext(SiteContext)
  if (!site) throw new Error('useSite needs a SiteProvider above it')
  return site
}
