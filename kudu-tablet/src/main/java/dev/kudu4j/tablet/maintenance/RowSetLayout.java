package dev.kudu4j.tablet.maintenance;

import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.maintenance.policy.KeySpace;
import dev.kudu4j.tablet.maintenance.policy.RowSetShape;
import java.util.ArrayList;
import java.util.List;

/**
 * The key intervals and sizes of a tablet's DiskRowSets, as the compaction policy sees them. A copy
 * without references to the tablet's components.
 *
 * @param rowSets sorted by smallest key
 * @param averageHeight the average number of rowsets whose key interval covers a row's key; 0
 *     without rowsets
 */
public record RowSetLayout(List<Place> rowSets, double averageHeight) {
  /** The layout of a tablet without DiskRowSets. */
  static final RowSetLayout EMPTY = new RowSetLayout(List.of(), 0);

  /**
   * One rowset.
   *
   * @param lower share of the tablet's data below the rowset's smallest key
   * @param upper share of the tablet's data up to the rowset's largest key
   * @param minKey smallest encoded key; never changed
   * @param maxKey largest encoded key; never changed
   * @param bytes size of all files
   * @param rows live rows
   * @param deletedRows deleted rows that the files still contain
   */
  @SuppressWarnings("ArrayRecordComponent") // keys are arrays everywhere; places are never compared
  public record Place(
      long id,
      double lower,
      double upper,
      byte[] minKey,
      byte[] maxKey,
      long bytes,
      long rows,
      long deletedRows,
      int redoFiles,
      int undoFiles) {
    public double width() {
      return upper - lower;
    }
  }

  static RowSetLayout of(Components components) {
    List<RowSetShape> shapes = RowSetShapes.of(components, 0);
    KeySpace space = KeySpace.of(shapes);
    List<Place> places = new ArrayList<>(shapes.size());
    for (int i = 0; i < shapes.size(); i++) {
      places.add(place(components.rowSets().get(i), space.lower(i), space.upper(i)));
    }
    return new RowSetLayout(List.copyOf(places), space.averageHeight());
  }

  private static Place place(DiskRowSet rowSet, double lower, double upper) {
    return new Place(
        rowSet.id(),
        lower,
        upper,
        rowSet.base().minKey(),
        rowSet.base().maxKey(),
        rowSet.onDisk().bytes(),
        rowSet.liveRowCount(),
        rowSet.liveness().deletedCount(),
        rowSet.redoFiles().size(),
        rowSet.undoFiles().size());
  }
}
