import { use } from 'react'
import type { PageState } from '../../shared/page-state.ts'
import type { PageId } from '../../shared/pages.ts'
import { useSite } from '../site.tsx'
import { findPage, visitPage } from '../views.ts'

export function PageView({ page, answer }: { page: PageId; answer?: PageState }) {
  const { language } = useSite()
  const { View, texts } = findPage(page, language) ?? use(visitPage(page, language))
  return <View page={page} texts={texts} answer={answer} />
}
