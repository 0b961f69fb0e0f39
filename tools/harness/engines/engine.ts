/** `no …`: the visitor has switched off this feature of the browser. */
export const PROFILES = ['default', 'no storage', 'no cookies', 'no script'] as const
export type Profile = (typeof PROFILES)[number]

/** Opens a window in a new, empty browser profile. */
export type Engine = (profile: Profile) => Promise<Tab>

/** The methods except `open` are named as in Playwright's `Page`. */
export interface Tab {
  version: string
  /** Starts a navigation; does not wait for the document. */
  open(address: string): Promise<unknown>
  /** `work` runs in the page, so a function must not use anything outside itself. */
  evaluate<Value, Argument>(
    work: string | ((argument: Argument) => Value | Promise<Value>),
    argument?: Argument,
  ): Promise<Value>
  /** `key`: a character, or the name of a key in KeyboardEvent, such as `Tab`. */
  keyboard: { press(key: string): Promise<unknown> }
  mouse: {
    move(x: number, y: number): Promise<unknown>
    click(x: number, y: number): Promise<unknown>
  }
  /** The window stays wider if the browser does not allow a width this small. */
  setViewportSize(size: { width: number; height: number }): Promise<unknown>
  /** As PNG. */
  screenshot(): Promise<Buffer>
  /** Console errors and warnings, and uncaught errors; undefined if the engine does not report them. */
  noise?: string[]
  close(): Promise<void>
}
