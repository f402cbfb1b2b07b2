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

class RowErrorListTest {
  private static List<RowError> random(Random random, int from, int rows) {
    List<RowError> errors = new ArrayList<>();
    for (int row = from; row < from + rows; row++) {
      if (random.nextInt(3) > 0) {
        boolean present = random.nextInt(4) > 0;
        errors.add(
            present
                ? new RowError(row, StatusCode.ALREADY_PRESENT, "key already present")
                : new RowError(row, StatusCode.INVALID_ARGUMENT, "bad " + random.nextInt(3)));
      }
    }
    return errors;
  }

  @Property(tries = 300)
  void isTheListThatItWasMadeOf(@ForAll int seed) {
    Random random = new Random(seed);
    int rows = random.nextInt(500);
    List<RowError> first = random(random, 0, rows);
    List<RowError> second = random(random, 0, random.nextInt(300));
    RowErrorList list = RowErrorList.of(first);
    assertThat(list).isEqualTo(first);
    assertThat(RowErrorList.ofRuns(list.runs(), list.kinds())).isEqualTo(first);
    assertThat(list.count(StatusCode.ALREADY_PRESENT))
        .isEqualTo(
            (int) first.stream().filter(e -> e.code() == StatusCode.ALREADY_PRESENT).count());
    for (int i = 0; i < first.size(); i += 17) {
      assertThat(list.get(i)).isEqualTo(first.get(i));
    }
    List<RowError> both = new ArrayList<>(first);
    second.forEach(e -> both.add(new RowError(rows + e.row(), e.code(), e.message())));
    for (List<RowError> more : List.of(second, RowErrorList.of(second))) {
      assertThat(RowErrorList.builder().addAll(0, list).addAll(rows, more).build()).isEqualTo(both);
    }
  }

  @Test
  void rowsThatFailedAlikeTakeAlmostNothing() {
    RowErrorList list = RowErrorList.ofAll(1_000_000, StatusCode.NOT_FOUND, "key not found");
    assertThat(list).hasSize(1_000_000);
    assertThat(list.bytes()).isLessThan(200);
    assertThat(list.get(999_999).row()).isEqualTo(999_999);
  }

  @Test
  void brokenRunsAreRefused() {
    byte[] runs = RowErrorList.ofAll(300, StatusCode.NOT_FOUND, "x").runs();
    assertThatThrownBy(() -> RowErrorList.ofRuns(runs, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RowErrorList.ofRuns(new byte[] {0, (byte) 0x80}, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
