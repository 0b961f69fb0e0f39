import { use } from 'react'
import { findView, loadView, type ViewProps } from '../views.ts'

export function PageView(props: ViewProps) {
  const View = findView(props.page) ?? use(loadView(props.page))
  return <View {...props} />
}
