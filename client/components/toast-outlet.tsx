import { lazy, Suspense, useSyncExternalStore } from 'react'
import { toasts } from '../toasts.ts'

const Toaster = lazy(() => import('./toaster.tsx').then((module) => ({ default: module.Toaster })))

/** Nothing, until there is a first toast to show. */
export function ToastOutlet() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.get, toasts.get)
  if (shown.length === 0) return null
  return (
    <Suspense>
      <Toaster toasts={shown} />
    </Suspense>
  )
}
