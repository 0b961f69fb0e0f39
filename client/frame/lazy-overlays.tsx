import {
  type ComponentProps,
  cloneElement,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { attempt } from '../attempt.ts'
import { ErrorBoundary } from '../crash.tsx'
import { useRefusalSentence } from '../form/contact-notice.tsx'
import { loadInTime } from '../load-in-time.ts'
import { useSite } from './site-provider.tsx'
import { announce } from './status.tsx'
import { type ShownToast, toasts } from './toasts.ts'

type Overlays = typeof import('./overlays.tsx')

/** A busy page may never be idle, and a browser may lack requestIdleCallback. */
const MAX_WAIT_MS = 2000

let idle: Promise<unknown> | undefined
function waitForIdle(): Promise<unknown> {
  idle ??= new Promise((resolve) => {
    attempt(() => requestIdleCallback(resolve, { timeout: MAX_WAIT_MS })) ??
      setTimeout(resolve, MAX_WAIT_MS)
  })
  return idle
}

/** Loads overlays.tsx when the page is idle, and at once for a toast, because an earlier load may have failed. */
function useOverlays(toastId?: number, onFailure = () => {}) {
  const [overlays, setOverlays] = useState<Overlays>()
  const fail = useEffectEvent(onFailure)
  useEffect(() => {
    const load = () => loadInTime(import('./overlays.tsx')).then(setOverlays, () => fail())
    if (toastId) load()
    else waitForIdle().then(load)
  }, [toastId])
  return overlays
}

/** The toast with its words, in the language that is shown. */
function useShownToast(): ShownToast | undefined {
  const { contact, nav } = useSite().texts
  const describe = useRefusalSentence()
  const toast = useSyncExternalStore(toasts.subscribe, toasts.get, toasts.get)
  if (!toast) return undefined
  const { subject } = toast
  if (subject === 'sent') return { ...toast, ...contact.sent }
  if (subject === 'language-failed') return { ...toast, ...nav.languageFailed }
  return { ...toast, title: contact.failed.title, description: describe(subject) }
}

export function ToastRegion() {
  const toast = useShownToast()
  const overlays = useOverlays(toast?.id, () => {
    if (toast) announce(`${toast.title}. ${toast.description}`, 'toasts toast')
  })
  if (!overlays) return null
  return (
    // A blocker of overlays may have removed a toast that React then tries to remove.
    <ErrorBoundary key={toast?.id} fallback={null}>
      <overlays.LoadedToastRegion toast={toast} />
    </ErrorBoundary>
  )
}

/** Adds the tooltip when its code has come. React then replaces the control, so not under a pointer or the focus. */
export function Tooltip({ children, text }: ComponentProps<Overlays['LoadedTooltip']>) {
  const overlays = useOverlays()
  const [isAdded, setAdded] = useState(false)
  const control = useRef<HTMLButtonElement>(null)
  const add = () => {
    if (overlays && !control.current?.matches(':hover, :focus')) setAdded(true)
  }
  useEffect(add, [overlays])
  if (overlays && isAdded)
    return (
      // Without its tooltip, the control still has its accessible name.
      <ErrorBoundary fallback={children}>
        <overlays.LoadedTooltip text={text}>{children}</overlays.LoadedTooltip>
      </ErrorBoundary>
    )
  // A finger leaves before its click.
  const leave = ({ pointerType }: { pointerType: string }) => pointerType === 'mouse' && add()
  return cloneElement(children, { ref: control, onPointerLeave: leave, onBlur: add })
}
