package dev.kudu4j.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.InvalidJobConfException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobSettingsTest {
  private static Configuration conf() {
    Configuration conf = new Configuration(false);
    conf.set("kudu.mapreduce.master.address", "m:7051");
    conf.set("kudu.mapreduce.input.table", "from");
    conf.set("kudu.mapreduce.output.table", "to");
    return conf;
  }

  @Test
  void aMissingSettingIsReportedWithAdvice() {
    Configuration conf = conf();
    conf.unset("kudu.mapreduce.master.address");
    assertThatThrownBy(() -> InputSettings.of(conf))
        .isInstanceOf(InvalidJobConfException.class)
        .hasMessage(
            "The job does not specify the masters to read from (host:port,...): set"
                + " kudu.mapreduce.master.address, or configure the job with"
                + " KuduTableMapReduceUtil.TableInputFormatConfigurator");
    assertThatThrownBy(() -> OutputSettings.of(conf))
        .hasMessageContaining("the masters to write to")
        .hasMessageContaining("kudu.mapreduce.master.addresses");
    conf.set("kudu.mapreduce.master.address", "m:7051");
    conf.unset("kudu.mapreduce.input.table");
    conf.set("kudu.mapreduce.output.table", "  ");
    assertThatThrownBy(() -> InputSettings.of(conf))
        .hasMessageContaining("the table to read: set kudu.mapreduce.input.table");
    assertThatThrownBy(() -> OutputSettings.of(conf))
        .hasMessageContaining("the table to write: set kudu.mapreduce.output.table");
  }

  @Test
  void inputAndOutputShareTheMastersUnlessEachHasItsOwn() throws Exception {
    Configuration conf = conf();
    assertThat(OutputSettings.of(conf).cluster().masters()).isEqualTo("m:7051");
    conf.set("kudu.mapreduce.master.addresses", "other:7051");
    assertThat(OutputSettings.of(conf).cluster().masters()).isEqualTo("other:7051");
    assertThat(InputSettings.of(conf).cluster().masters()).isEqualTo("m:7051");
    conf.unset("kudu.mapreduce.master.address");
    assertThat(InputSettings.of(conf).cluster().masters()).isEqualTo("other:7051");
  }

  @Test
  void namesOfColumnsMayBeAllSomeOrNone() throws Exception {
    Configuration conf = conf();
    assertThat(InputSettings.of(conf).projection()).isEmpty();
    conf.set("kudu.mapreduce.column.projection", "*");
    assertThat(InputSettings.of(conf).projection()).isEmpty();
    conf.set("kudu.mapreduce.column.projection", "b, a");
    assertThat(InputSettings.of(conf).projection()).isEqualTo(Optional.of(List.of("b", "a")));
    conf.set("kudu.mapreduce.column.projection", "");
    assertThat(InputSettings.of(conf).projection()).isEqualTo(Optional.of(List.of()));
  }

  @ParameterizedTest
  @CsvSource({
    "kudu.mapreduce.operation.timeout.ms, soon, must be an integer",
    "kudu.mapreduce.operation.timeout.ms, 0, must be at least 1",
    "kudu.mapreduce.input.split.size.bytes, -1, must be at least 0",
    "kudu.mapreduce.input.keep.alive.period.ms, 3000000000, must be at most 2147483647",
    "kudu.mapreduce.input.fault.tolerant.scan, yes, must be true or false",
    "kudu.mapreduce.input.snapshot.timestamp, 0, must be at least 1",
    "kudu.mapreduce.encoded.predicates, ???, contains no predicates",
  })
  void invalidInputSettingsAreReported(String key, String value, String reason) {
    Configuration conf = conf();
    conf.set(key, value);
    assertThatThrownBy(() -> InputSettings.of(conf))
        .isInstanceOf(InvalidJobConfException.class)
        .hasMessageContaining(key)
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @CsvSource({
    "kudu.mapreduce.buffer.row.count, 0, must be at least 1",
    "kudu.mapreduce.output.ignore.duplicates, 1, must be true or false",
  })
  void invalidOutputSettingsAreReported(String key, String value, String reason) {
    Configuration conf = conf();
    conf.set(key, value);
    assertThatThrownBy(() -> OutputSettings.of(conf))
        .hasMessageContaining(key)
        .hasMessageContaining(reason);
  }
}
