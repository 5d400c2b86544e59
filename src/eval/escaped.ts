/** Text as it stands in SVG or HTML, between tags or within quotes. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
