package dev.kudu4j.master.catalog;

import com.google.protobuf.ByteString;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.RandomAccess;

/** The tablets of a table in the order of their partition keys. Immutable. */
public final class TabletArray extends AbstractList<TabletInfo> implements RandomAccess {
  private static final Comparator<ByteString> KEY_ORDER =
      ByteString.unsignedLexicographicalComparator();

  private final TabletInfo[] tablets;

  public TabletArray(Collection<TabletInfo> tablets) {
    this.tablets = tablets.toArray(TabletInfo[]::new);
    Arrays.sort(this.tablets, Comparator.comparing(TabletInfo::startKey, KEY_ORDER));
  }

  @Override
  public TabletInfo get(int index) {
    return tablets[index];
  }

  @Override
  public int size() {
    return tablets.length;
  }

  /** The index of the last tablet that starts at or before the key, or -1. */
  public int floor(ByteString key) {
    int low = 0;
    int high = tablets.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (KEY_ORDER.compare(tablets[middle].startKey(), key) <= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }
}
