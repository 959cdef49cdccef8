/** Elements of the page, made without a framework. */

type Child = Node | string | null

/** An element with its properties and children; null is no child. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children.filter((child) => child !== null))
  return element
}

/** A checkbox or radio button with its label, and a note behind it. */
export function choice(
  properties: Pick<HTMLInputElement, 'type' | 'name' | 'value' | 'checked'> & Pick<Partial<HTMLInputElement>, 'onchange'>,
  label: string,
  note: string,
): HTMLElement {
  return el('label', {}, el('input', properties), ` ${label} `, el('span', { className: 'soft' }, note))
}
