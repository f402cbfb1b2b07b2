package dev.kudu4j.tools.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class LoadgenOptionsTest {
  @Command
  private static final class Holder {
    @Mixin private LoadgenOptions options;
  }

  private static LoadgenOptions options(String... arguments) {
    return CommandLine.populateCommand(new Holder(), arguments).options;
  }

  @Test
  void threadsHaveDisjointPartsOfTheSequence() {
    assertThat(options("--num_rows_per_thread=10").span(3)).isEqualTo(30);
    for (String rows : List.of("-1", Long.toString(Long.MAX_VALUE))) {
      LoadgenOptions endless = options("--num_rows_per_thread=" + rows, "--num_threads=4");
      assertThat(endless.span(3)).isEqualTo(Long.MAX_VALUE / 4);
    }
  }

  @Test
  void theMoreSpecificRandomOptionWins() {
    LoadgenOptions all = options("--use_random");
    assertThat(List.of(all.randomKeys(), all.randomValues())).containsExactly(true, true);
    LoadgenOptions keys = options("--use_random", "--use_random_pk");
    assertThat(List.of(keys.randomKeys(), keys.randomValues())).containsExactly(true, false);
    LoadgenOptions values = options("--use_random", "--use_random_non_pk=true");
    assertThat(List.of(values.randomKeys(), values.randomValues())).containsExactly(false, true);
    LoadgenOptions none = options("--use_random=false");
    assertThat(List.of(none.randomKeys(), none.randomValues())).containsExactly(false, false);
  }

  @Test
  void theFlushWatermarkIsAShareOfTheBuffer() {
    LoadgenOptions options =
        options("--buffer_size_bytes=1000", "--buffer_flush_watermark_pct=0.25");
    options.check();
    assertThat(options.flushBytes()).isEqualTo(250);
  }

  @Test
  void optionsWithoutEffectAreAccepted() {
    options("--buffers_num=8", "--error_buffer_size_bytes=0", "--use_client_per_thread").check();
  }

  @Test
  void valuesOutOfRangeAreRejected() {
    for (String bad :
        List.of(
            "--num_threads=0",
            "--num_rows_per_thread=-2",
            "--string_len=0",
            "--buffer_size_bytes=0",
            "--buffer_flush_watermark_pct=1.5",
            "--flush_per_n_rows=-1",
            "--show_first_n_errors=-1")) {
      assertThatThrownBy(() -> options(bad).check()).as(bad).hasMessageStartingWith(bad + ": must");
    }
  }
}
