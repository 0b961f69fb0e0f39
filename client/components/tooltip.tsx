import {
  type ComponentPropsWithRef,
  cloneElement,
  type ReactElement,
  useEffect,
  useRef,
  useState,
} from 'react'
import type { Language } from '../../shared/language.ts'
import { ErrorBoundary } from '../crash.tsx'
import { useOverlayLibrary } from '../frame/overlay-provider.tsx'

interface TooltipProps {
  text: string
  language: Language
  children: ReactElement<ComponentPropsWithRef<'button'>>
}

/** Adds the tooltip when its library has come. React then replaces the control, so not under a pointer or the focus. */
export function Tooltip({ children, ...props }: TooltipProps) {
  const library = useOverlayLibrary()
  const [isAdded, setAdded] = useState(false)
  const control = useRef<HTMLButtonElement>(null)
  const add = () => {
    if (library && !control.current?.matches(':hover, :focus')) setAdded(true)
  }
  useEffect(add, [library])
  if (library && isAdded)
    return (
      // Without its tooltip, the control still has its accessible name.
      <ErrorBoundary fallback={children}>
        <library.Tooltip {...props}>{children}</library.Tooltip>
      </ErrorBoundary>
    )
  return cloneElement(children, {
    ref: control,
    // A finger leaves before its click.
    onPointerLeave: ({ pointerType }) => pointerType === 'mouse' && add(),
    onBlur: add,
  })
}
