/** `no …`: the visitor has switched this off in the browser. */
export const PROFILES = ['default', 'no storage', 'no cookies', 'no script'] as const
export type Profile = (typeof PROFILES)[number]

/** Opens a window with an empty profile. An engine is this function only. */
export type Engine = (profile: Profile) => Promise<Tab>

/** Methods are named as in Playwright's `Page`. */
export interface Tab {
  version: string
  /** Starts a navigation; does not wait for the document. */
  open(address: string): Promise<unknown>
  /** The function must not use anything outside itself. */
  evaluate<Value, Argument>(
    work: string | ((argument: Argument) => Value | Promise<Value>),
    argument?: Argument,
  ): Promise<Value>
  /** A character, or a key by its name in KeyboardEvent. */
  keyboard: { press(key: string): Promise<unknown> }
  mouse: { click(x: number, y: number): Promise<unknown> }
  /** A browser may keep its window wider. */
  setViewportSize(size: { width: number; height: number }): Promise<unknown>
  /** As PNG. */
  screenshot(): Promise<Buffer>
  /** Console errors and warnings, and uncaught errors; undefined if the engine does not report them. */
  noise?: string[]
  close(): Promise<void>
}
