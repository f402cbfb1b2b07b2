package dev.kudu4j.benchmarks.batching;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.client.PartialRow;
import org.junit.jupiter.api.Test;

class MessagesTest {
  private static PartialRow row(Messages messages, long id) {
    PartialRow row = Messages.schema().newPartialRow();
    messages.fill(row, id);
    return row;
  }

  @Test
  void rowsHaveAboutThirteenHundredBytes() {
    Messages messages = new Messages();
    long bytes = 0;
    for (long id = 0; id < 1_000; id++) {
      PartialRow row = row(messages, id);
      bytes += 8 + 4 + 8;
      for (int column = 3; column < 6; column++) {
        bytes += row.getString(column).length();
      }
    }
    assertThat(bytes / 1_000).isBetween(1_200L, 1_400L);
  }

  @Test
  void aRowFollowsFromItsId() {
    Messages messages = new Messages();
    assertThat(row(new Messages(), 17).toString()).isEqualTo(row(messages, 17).toString());
    assertThat(row(messages, 18).getString(5)).isNotEqualTo(row(messages, 17).getString(5));
  }
}
