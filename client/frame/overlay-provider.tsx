import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { attempt } from '../attempt.ts'
import { ErrorBoundary } from '../crash.tsx'
import { createToasts, type Toasts } from './toasts.ts'

type Library = typeof import('./overlays.tsx')

const OverlayContext = createContext<{ toasts: Toasts; library?: Library } | undefined>(undefined)

function useOverlays() {
  const overlays = useContext(OverlayContext)
  if (!overlays) throw new Error('useOverlays needs an OverlayProvider above it')
  return overlays
}

export const useToasts = () => useOverlays().toasts
/** Undefined until the library of toasts and tooltips has come. */
export const useOverlayLibrary = () => useOverlays().library

/** The load waits at most this long for an idle page. */
const MAX_WAIT_MS = 2000

/** Loads the library of toasts and tooltips when the page is idle. A toast that is asked for earlier waits for it. */
export function OverlayProvider({ children }: { children: ReactNode }) {
  const [toasts] = useState(createToasts)
  const [library, setLibrary] = useState<Library>()
  const toast = useSyncExternalStore(toasts.subscribe, toasts.get, toasts.get)
  // Also when there is a toast: the load may have failed.
  useEffect(() => {
    const load = () => import('./overlays.tsx').then(setLibrary, () => {})
    if (library) return
    if (toast) load()
    else
      attempt(() => requestIdleCallback(load, { timeout: MAX_WAIT_MS })) ??
        setTimeout(load, MAX_WAIT_MS)
  }, [library, toast])
  // The same object, so that a toast renders only itself.
  const overlays = useMemo(() => ({ toasts, library }), [toasts, library])
  return <OverlayContext value={overlays}>{children}</OverlayContext>
}

export function ToastRegion() {
  const { toasts, library } = useOverlays()
  const toast = useSyncExternalStore(toasts.subscribe, toasts.get, toasts.get)
  if (!library) return null
  return (
    // A blocker of overlays may have removed a toast that React then tries to remove.
    <ErrorBoundary fallback={null}>
      <library.ToastRegion key={toast?.id} toast={toast} onDismiss={toasts.dismiss} />
    </ErrorBoundary>
  )
}
