package dev.kudu4j.tserver.tablets;

import static j2html.TagCreator.each;
import static j2html.TagCreator.tag;

import dev.kudu4j.server.web.html.Figures;
import dev.kudu4j.tablet.maintenance.RowSetLayout.Place;
import j2html.tags.DomContent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;

/**
 * Arranges rowsets in lanes: each rowset is placed in the lowest lane that has no other rowset at
 * its smallest key. The number of lanes is the maximum number of rowsets that overlap.
 *
 * <pre>
 *   lane 2        [  B  ]          [ E ]
 *   lane 1  [   A    ]  [   C   ][  D    ]
 * </pre>
 *
 * @param lanes the rowsets of each lane; the lowest lane is the first
 */
record RowSetLanes(List<List<Place>> lanes) {
  /** The maximum number of rowsets drawn; more would make the page slow. */
  static final int MAX_DRAWN = 2_000;

  private static final double WIDTH = 1_000;
  private static final double GAP = 1;
  private static final double MIN_BAR = 1.5;
  private static final int HIGHEST_LANE = 24;
  private static final int LOWEST_LANE = 4;
  private static final int FITTING_HEIGHT = 480;

  /**
   * Two rowsets whose borders differ by at most this do not overlap: borders are fractions of the
   * data, with rounding errors.
   */
  private static final double TOUCHING = 1e-9;

  static RowSetLanes of(List<Place> rowSets) {
    List<Place> sorted = new ArrayList<>(rowSets);
    sorted.sort(Comparator.comparingDouble(Place::lower).thenComparingDouble(Place::upper));
    List<List<Place>> lanes = new ArrayList<>();
    PriorityQueue<Integer> free = new PriorityQueue<>();
    PriorityQueue<Integer> taken =
        new PriorityQueue<>(Comparator.comparingDouble(lane -> last(lanes.get(lane)).upper()));
    for (Place rowSet : sorted) {
      while (!taken.isEmpty() && endsBelow(last(lanes.get(taken.peek())), rowSet)) {
        free.add(taken.remove());
      }
      if (free.isEmpty()) {
        free.add(lanes.size());
        lanes.add(new ArrayList<>());
      }
      int lane = free.remove();
      lanes.get(lane).add(rowSet);
      taken.add(lane);
    }
    return new RowSetLanes(lanes);
  }

  private static boolean endsBelow(Place first, Place second) {
    return first.upper() <= second.lower() + TOUCHING;
  }

  private static Place last(List<Place> lane) {
    return lane.get(lane.size() - 1);
  }

  /** The maximum number of rowsets that overlap. */
  int depth() {
    return lanes.size();
  }

  /** The drawing: the data by key from left to right, with a bar for each rowset. */
  DomContent picture() {
    int lane = Math.max(LOWEST_LANE, Math.min(HIGHEST_LANE, FITTING_HEIGHT / depth()));
    int height = depth() * lane;
    List<DomContent> bars = new ArrayList<>();
    for (int i = 0; i < depth(); i++) {
      for (Place rowSet : lanes.get(i)) {
        bars.add(bar(rowSet, height - (i + 1) * lane, lane));
      }
    }
    return tag("svg")
        .withClass("layout")
        .attr("viewBox", String.format(Locale.ROOT, "0 0 %.0f %d", WIDTH, height))
        .attr("height", height)
        .attr("preserveAspectRatio", "none")
        .attr("role", "img")
        .attr("aria-label", "Rowsets by key; " + depth() + " overlap at most")
        .with(each(bars.stream()));
  }

  private static DomContent bar(Place rowSet, int top, int lane) {
    double width = Math.max(MIN_BAR, WIDTH * rowSet.width() - GAP);
    return tag("rect")
        .attr("x", number(Math.min(WIDTH * rowSet.lower(), WIDTH - width)))
        .attr("y", number(top + 0.1 * lane))
        .attr("width", number(width))
        .attr("height", number(0.8 * lane))
        .with(tag("title").withText(words(rowSet)));
  }

  private static String words(Place rowSet) {
    return String.format(
        Locale.ROOT,
        "DiskRowSet %d: from %.1f %% to %.1f %% of the data, %s rows, %s",
        rowSet.id(),
        100 * rowSet.lower(),
        100 * rowSet.upper(),
        Figures.countText(rowSet.rows()),
        Figures.bytesText(rowSet.bytes()));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
