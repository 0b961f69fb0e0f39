import { lazy, Suspense, useSyncExternalStore } from 'react'
import { toasts } from '../toasts.ts'
import { ErrorBoundary } from './error-boundary.tsx'

const Toaster = lazy(() => import('./toaster.tsx').then((module) => ({ default: module.Toaster })))

/** Nothing, until there is a first toast to show; what it says stands in the page too, should it not come. */
export function ToastOutlet() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.get, toasts.get)
  if (shown.length === 0) return null
  return (
    <ErrorBoundary fallback={null}>
      <Suspense>
        <Toaster toasts={shown} />
      </Suspense>
    </ErrorBoundary>
  )
}
