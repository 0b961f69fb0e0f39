declare module 'subset-font' {
  interface SubsetOptions {
    targetFormat?: 'sfnt' | 'woff' | 'woff2'
    /** Default: all. */
    keepFeatures?: readonly string[]
    /** A value pins the axis. */
    variationAxes?: Record<string, number | { min: number; max: number }>
  }

  /** Reduces a font to the characters of a text. */
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options?: SubsetOptions,
  ): Promise<Uint8Array>
}
