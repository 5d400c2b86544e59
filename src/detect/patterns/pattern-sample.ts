import type { Tree } from './pattern-tree.ts';

/**
 * A text that the tree matches. `pick` chooses among alternatives, so that many different texts can be made. What is
 * repeated stands up to `more` times oftener than it has to.
 */
export function sampleOf(tree: Tree, pick: (choices: number) => number, more = 5): string {
  switch (tree.kind) {
    case 'edge':
      return '';
    case 'blank':
      return ' ';
    case 'char':
      return tree.text;
    case 'set':
      return tree.sample;
    case 'choice':
      return sampleOf(tree.items[pick(tree.items.length)] as Tree, pick, more);
    case 'sequence':
      return tree.items.map((item) => sampleOf(item, pick, more)).join('');
    case 'repeat': {
      const most = Math.min(tree.max, tree.min + more);
      const times = tree.min + pick(most - tree.min + 1);
      return Array.from({ length: times }, () => sampleOf(tree.item, pick, more)).join('');
    }
  }
}
