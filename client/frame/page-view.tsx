import { use } from 'react'
import type { PageState } from '../../shared/page-state.ts'
import type { PageId } from '../../shared/pages.ts'
import { findPage, visitPage } from '../page-loader.ts'
import { useSite } from './site-context.tsx'

export function PageView({ page, answer }: { page: PageId; answer?: PageState }) {
  const { language } = useSite()
  const { View, texts } = findPage(page, language) ?? use(visitPage(page, language))
  return <View page={page} texts={texts} answer={answer} />
}
