/**
 * Shapes of the demo's drawings: SVG of 160 by 160, in attributes alone, so that no style or script is needed. Each has
 * a ground of its own, so that it looks the same on a light and on a dark page.
 */

/** A drawing of 160 by 160 on a ground of the colour `tint`. */
export function drawing(tint: string, ...shapes: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="320" viewBox="0 0 160 160">${rect(0, 0, 160, 160, tint)}${shapes.join('')}</svg>`
}

export function rect(x: number, y: number, width: number, height: number, fill: string, radius = 0): string {
  const rounded = radius > 0 ? ` rx="${radius}"` : ''
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}"${rounded} fill="${fill}"/>`
}

export function ellipse(x: number, y: number, width: number, height: number, fill: string): string {
  return `<ellipse cx="${x}" cy="${y}" rx="${width / 2}" ry="${height / 2}" fill="${fill}"/>`
}

/** A filled path. */
export function area(path: string, fill: string): string {
  return `<path d="${path}" fill="${fill}"/>`
}

/** A stroked path with round ends. */
export function line(path: string, stroke: string, width: number): string {
  return `<path d="${path}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`
}

export function text(x: number, y: number, size: number, fill: string, words: string): string {
  return `<text x="${x}" y="${y}" font-family="sans-serif" font-size="${size}" font-weight="700" text-anchor="middle" fill="${fill}">${words}</text>`
}

/** Shapes that stand on the line y = 138, made smaller, moved to the right and up. */
export function placed(scale: number, right: number, up: number, shapes: string): string {
  const x = Math.round(80 + right - 80 * scale)
  const y = Math.round(138 * (1 - scale) - up)
  return `<g transform="translate(${x} ${y}) scale(${scale})">${shapes}</g>`
}

/** The shadow of what stands on the line y = 138. */
export function shadow(width: number): string {
  return `<ellipse cx="80" cy="138" rx="${width / 2}" ry="5" fill="#000" fill-opacity=".14"/>`
}

/** A coffee bean, turned by `degrees`. */
export function bean(x: number, y: number, fill: string, degrees = 30): string {
  return `<g transform="translate(${x} ${y}) rotate(${degrees})">${ellipse(0, 0, 15, 21, fill)}${line('M0-8C4-3-4 3 0 8', '#fff5', 2)}</g>`
}
