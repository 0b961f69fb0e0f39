const END_MS = 10_000

/** jest waits for what a suite left open, which leak-environment.ts has reported. */
export default function endJest(): void {
  setTimeout(() => process.exit(1), END_MS).unref()
}
