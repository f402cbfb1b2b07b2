package dev.kudu4j.tserver.tablets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.tablet.maintenance.RowSetLayout.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowSetLanesTest {
  private static Place place(long id, double lower, double upper) {
    return new Place(id, lower, upper, new byte[] {1}, new byte[] {2}, 3 << 20, 1_234, 0, 0, 0);
  }

  private static List<List<Long>> ids(RowSetLanes lanes) {
    return lanes.lanes().stream().map(lane -> lane.stream().map(Place::id).toList()).toList();
  }

  @Test
  void rowsetsThatDoNotOverlapShareALane() {
    RowSetLanes lanes =
        RowSetLanes.of(List.of(place(3, 0.6, 1), place(1, 0, 0.25), place(2, 0.25, 0.6)));
    assertThat(ids(lanes)).containsExactly(List.of(1L, 2L, 3L));
    assertThat(lanes.depth()).isEqualTo(1);
  }

  @Test
  void overlappingRowsetsLieAboveEachOther() {
    RowSetLanes lanes =
        RowSetLanes.of(
            List.of(place(1, 0, 0.5), place(2, 0.2, 0.6), place(3, 0.5, 1), place(4, 0.6, 1)));
    assertThat(ids(lanes)).containsExactly(List.of(1L, 3L), List.of(2L, 4L));
  }

  @Test
  void thereAreAsManyLanesAsRowsetsOverlapAtMost() {
    Random random = new Random(17);
    List<Place> rowSets = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      double lower = random.nextDouble();
      rowSets.add(place(i, lower, Math.min(1, lower + random.nextDouble() / 10)));
    }
    long max =
        rowSets.stream()
            .mapToLong(
                one ->
                    rowSets.stream()
                        .filter(
                            other -> other.lower() <= one.lower() && other.upper() > one.lower())
                        .count())
            .max()
            .orElseThrow();
    RowSetLanes lanes = RowSetLanes.of(rowSets);
    assertThat(lanes.depth()).isEqualTo((int) max);
    for (List<Place> lane : lanes.lanes()) {
      for (int i = 1; i < lane.size(); i++) {
        assertThat(lane.get(i - 1).upper()).isLessThanOrEqualTo(lane.get(i).lower() + 1e-9);
      }
    }
  }

  @Test
  void thePictureHasABarWithWordsForEachRowset() {
    String picture =
        RowSetLanes.of(List.of(place(7, 0, 0.5), place(8, 0.25, 1))).picture().render();
    assertThat(picture)
        .contains("viewBox=\"0 0 1000 48\"", "2 overlap at most")
        .contains("<rect x=\"0.00\" y=\"26.40\" width=\"499.00\"")
        .contains("<rect x=\"250.00\" y=\"2.40\" width=\"749.00\"")
        .contains("DiskRowSet 7: from 0.0 % to 50.0 % of the data, 1,234 rows, 3.00 MB");
  }

  @Test
  void aRowsetOfHardlyAnyDataIsStillSeen() {
    assertThat(RowSetLanes.of(List.of(place(1, 1, 1))).picture().render())
        .contains("<rect x=\"998.50\"", "width=\"1.50\"");
  }

  @Test
  void manyLanesAreLow() {
    List<Place> rowSets = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      rowSets.add(place(i, 0, 1));
    }
    assertThat(RowSetLanes.of(rowSets).picture().render()).contains("height=\"4000\"");
  }
}
