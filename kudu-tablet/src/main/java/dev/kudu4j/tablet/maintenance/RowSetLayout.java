package dev.kudu4j.tablet.maintenance;

import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.maintenance.policy.KeySpace;
import dev.kudu4j.tablet.maintenance.policy.RowSetShape;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the DiskRowSets of a tablet lie among its keys, as the compaction policy sees them. A copy:
 * it holds no part of the tablet.
 *
 * @param rowSets by smallest key
 * @param averageHeight rowsets whose key interval covers a random row's key; 0 without rowsets
 */
public record RowSetLayout(List<Place> rowSets, double averageHeight) {
  /** Of a tablet without a DiskRowSet. */
  static final RowSetLayout EMPTY = new RowSetLayout(List.of(), 0);

  /**
   * One rowset.
   *
   * @param lower share of the tablet's data below its smallest key
   * @param upper share of the data up to its largest key
   * @param minKey smallest encoded key; never changed
   * @param maxKey largest encoded key; never changed
   * @param bytes of all its files
   * @param rows live ones
   * @param deletedRows dead ones that its files still hold
   */
  @SuppressWarnings("ArrayRecordComponent") // keys are arrays everywhere; nobody compares places
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
