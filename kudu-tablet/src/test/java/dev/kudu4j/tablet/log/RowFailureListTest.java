package dev.kudu4j.tablet.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.status.StatusCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class RowFailureListTest {
  private static List<RowFailure> random(Random random, int from, int rows) {
    List<RowFailure> errors = new ArrayList<>();
    for (int row = from; row < from + rows; row++) {
      if (random.nextInt(3) > 0) {
        boolean present = random.nextInt(4) > 0;
        errors.add(
            present
                ? new RowFailure(row, StatusCode.ALREADY_PRESENT, "key already present")
                : new RowFailure(row, StatusCode.INVALID_ARGUMENT, "bad " + random.nextInt(3)));
      }
    }
    return errors;
  }

  @Property(tries = 300)
  void equalsTheListThatItWasBuiltFrom(@ForAll int seed) {
    Random random = new Random(seed);
    int rows = random.nextInt(500);
    List<RowFailure> first = random(random, 0, rows);
    List<RowFailure> second = random(random, 0, random.nextInt(300));
    RowFailureList list = RowFailureList.of(first);
    assertThat(list).isEqualTo(first);
    assertThat(RowFailureList.ofRuns(list.runs(), list.kinds())).isEqualTo(first);
    assertThat(list.count(StatusCode.ALREADY_PRESENT))
        .isEqualTo(
            (int) first.stream().filter(e -> e.code() == StatusCode.ALREADY_PRESENT).count());
    for (int i = 0; i < first.size(); i += 17) {
      assertThat(list.get(i)).isEqualTo(first.get(i));
    }
    List<RowFailure> both = new ArrayList<>(first);
    second.forEach(e -> both.add(new RowFailure(rows + e.row(), e.code(), e.message())));
    for (List<RowFailure> more : List.of(second, RowFailureList.of(second))) {
      assertThat(RowFailureList.builder().addAll(0, list).addAll(rows, more).build())
          .isEqualTo(both);
    }
  }

  @Test
  void rowsWithTheSameFailureTakeLittleMemory() {
    RowFailureList list = RowFailureList.ofAll(1_000_000, StatusCode.NOT_FOUND, "key not found");
    assertThat(list).hasSize(1_000_000);
    assertThat(list.bytes()).isLessThan(200);
    assertThat(list.get(999_999).row()).isEqualTo(999_999);
  }

  @Test
  void brokenRunsAreRefused() {
    byte[] runs = RowFailureList.ofAll(300, StatusCode.NOT_FOUND, "x").runs();
    assertThatThrownBy(() -> RowFailureList.ofRuns(runs, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RowFailureList.ofRuns(new byte[] {0, (byte) 0x80}, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
