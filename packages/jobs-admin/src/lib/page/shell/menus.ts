/** Closes menus that are open, but for the one somebody is in. Focus that was inside of one goes to its button. */
export function closeMenus(root: HTMLElement, keep: EventTarget | null): void {
  for (const menu of root.querySelectorAll<HTMLDetailsElement>('details.sj-menu[open]')) {
    if (keep instanceof Node && menu.contains(keep)) continue
    if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus()
    menu.open = false
  }
}
