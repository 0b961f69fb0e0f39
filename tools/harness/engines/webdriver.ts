import type { Tab } from './engine.ts'

const KEYS: Record<string, string> = {
  Escape: '\uE00C',
  F8: '\uE038',
  Shift: '\uE008',
  Tab: '\uE004',
}

/** The parts of a tab that are the same in classic WebDriver and in BiDi. */
export function createWebDriverTab(
  /** Runs the body of a function that returns JSON or a promise of JSON. */
  call: (body: string) => Promise<string | null | undefined>,
  act: (actions: object[]) => Promise<unknown>,
): Pick<Tab, 'evaluate' | 'keyboard' | 'mouse'> {
  const point = (x: number, y: number, types: string[] = []) => {
    const move = { type: 'pointerMove', x: Math.round(x), y: Math.round(y) }
    const actions = [move, ...types.map((type) => ({ type, button: 0 }))]
    return act([{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }])
  }
  return {
    async evaluate(work, argument) {
      const value = typeof work === 'string' ? work : `(${work})(${JSON.stringify(argument)})`
      // The code in the page is not async: with scripting off, no promise settles, so no answer would arrive.
      const json = await call(`const value = ${value}
        return value?.then ? value.then((each) => JSON.stringify(each)) : JSON.stringify(value)`)
      return JSON.parse(json ?? 'null')
    },
    keyboard: {
      press(key) {
        const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value: KEYS[key] ?? key }))
        return act([{ type: 'key', id: 'keyboard', actions }])
      },
    },
    mouse: {
      move: (x, y) => point(x, y),
      click: (x, y) => point(x, y, ['pointerDown', 'pointerUp']),
    },
  }
}
