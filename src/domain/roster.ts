/**
 * Those under way, in no order. Not a Set: V8 rebuilds a Set's table every few dozen deletions and links each discarded
 * table to its successor, so one table that has grown old keeps every later one, and every exchange in them, alive until
 * the next full collection. docs/benchmarks.md has what that cost.
 */
export interface Placed {
  /** Where the roster holds it; NOWHERE before and after. Nobody else writes it. */
  place: number;
}

export const NOWHERE = -1;

export interface Roster<Member extends Placed> {
  size(): number;
  add(member: Member): void;
  /** False for who is not there: it left before. */
  remove(member: Member): boolean;
  /** Members may leave and join meanwhile. Who was there before and still is gets visited, perhaps twice. */
  each(visit: (member: Member) => void): void;
}

export function createRoster<Member extends Placed>(): Roster<Member> {
  const members: Member[] = [];
  return {
    size: () => members.length,
    add(member) {
      member.place = members.length;
      members.push(member);
    },
    remove(member) {
      const { place } = member;
      if (place === NOWHERE) return false;
      member.place = NOWHERE;
      const last = members.pop()!;
      if (last !== member) {
        members[place] = last;
        last.place = place;
      }
      return true;
    },
    each(visit) {
      // From the end: the one that fills a gap comes from behind, where everybody has been visited.
      for (let i = members.length - 1; i >= 0; i -= 1) {
        const member = members[i];
        if (member !== undefined) visit(member);
      }
    },
  };
}
