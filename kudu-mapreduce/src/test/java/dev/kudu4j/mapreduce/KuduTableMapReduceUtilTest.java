package dev.kudu4j.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.KuduPredicate;
import dev.kudu4j.client.KuduPredicate.ComparisonOp;
import dev.kudu4j.mapreduce.KuduTableMapReduceUtil.TableInputFormatConfigurator;
import dev.kudu4j.mapreduce.KuduTableMapReduceUtil.TableInputFormatConfiguratorWithCommandLineParser;
import dev.kudu4j.mapreduce.KuduTableMapReduceUtil.TableOutputFormatConfigurator;
import dev.kudu4j.mapreduce.KuduTableMapReduceUtil.TableOutputFormatConfiguratorWithCommandLineParser;
import dev.kudu4j.mapreduce.example.DelaysPerCarrier;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.MapContextImpl;
import org.junit.jupiter.api.Test;

class KuduTableMapReduceUtilTest {
  private final ColumnSchema column =
      new ColumnSchema.ColumnSchemaBuilder("id", Type.INT32).key(true).build();

  private static Job job() throws Exception {
    return Job.getInstance(new Configuration(false));
  }

  @Test
  void anInputIsConfiguredUnderTheKnownKeys() throws Exception {
    Job job = job();
    KuduPredicate predicate =
        KuduPredicate.newComparisonPredicate(column, ComparisonOp.GREATER, 7L);
    new TableInputFormatConfigurator(job, "t", "a,b", "m:1")
        .addPredicate(predicate)
        .cacheBlocks(true)
        .isFaultTolerant(true)
        .splitSizeBytes(5)
        .snapshotTimestampMicros(2)
        .operationTimeoutMs(9)
        .addDependencies(false)
        .configure();
    Configuration conf = job.getConfiguration();
    assertThat(job.getInputFormatClass()).isEqualTo(KuduTableInputFormat.class);
    assertThat(conf.get("kudu.mapreduce.input.table")).isEqualTo("t");
    assertThat(conf.get("kudu.mapreduce.master.address")).isEqualTo("m:1");
    assertThat(conf.get("kudu.mapreduce.column.projection")).isEqualTo("a,b");
    assertThat(conf.get("kudu.mapreduce.operation.timeout.ms")).isEqualTo("9");
    assertThat(conf.get("kudu.mapreduce.input.scan.cache.blocks")).isEqualTo("true");
    assertThat(conf.get("kudu.mapreduce.input.fault.tolerant.scan")).isEqualTo("true");
    assertThat(conf.get("kudu.mapreduce.input.snapshot.timestamp")).isEqualTo("8192");
    InputSettings settings = InputSettings.of(conf);
    assertThat(settings.splitSizeBytes()).isEqualTo(5);
    assertThat(KuduPredicate.deserialize(new Schema(List.of(column)), settings.predicates()))
        .containsExactly(predicate);
    assertThat(conf.get("tmpjars")).isNull();
  }

  @Test
  void anOutputIsConfiguredUnderTheKnownKeysAndWithoutSpeculation() throws Exception {
    Job job = job();
    new TableOutputFormatConfigurator(job, "t", "m:1")
        .ignoreDuplicates(true)
        .ignoreMissing(true)
        .bufferRowCount(3)
        .operationTimeoutMs(9)
        .addDependencies(false)
        .configure();
    Configuration conf = job.getConfiguration();
    assertThat(job.getOutputFormatClass()).isEqualTo(KuduTableOutputFormat.class);
    assertThat(conf.get("kudu.mapreduce.output.table")).isEqualTo("t");
    assertThat(conf.get("kudu.mapreduce.master.addresses")).isEqualTo("m:1");
    assertThat(conf.get("kudu.mapreduce.buffer.row.count")).isEqualTo("3");
    assertThat(OutputSettings.of(conf))
        .isEqualTo(new OutputSettings(new ClusterAddress("m:1", 9), "t", 3, true, true));
    assertThat(conf.getBoolean("mapreduce.map.speculative", true)).isFalse();
    assertThat(conf.getBoolean("mapreduce.reduce.speculative", true)).isFalse();
  }

  @Test
  void theCommandLineSetsTheCluster() throws Exception {
    Job job = job();
    job.getConfiguration().set("kudu.master.addresses", "line:1");
    job.getConfiguration().set("kudu.operation.timeout.ms", "11");
    new TableInputFormatConfiguratorWithCommandLineParser(job, "from", "*")
        .addDependencies(false)
        .configure();
    new TableOutputFormatConfiguratorWithCommandLineParser(job, "to")
        .addDependencies(false)
        .configure();
    ClusterAddress line = new ClusterAddress("line:1", 11);
    assertThat(InputSettings.of(job.getConfiguration()).cluster()).isEqualTo(line);
    assertThat(OutputSettings.of(job.getConfiguration()).cluster()).isEqualTo(line);
    assertThat(CommandLineParser.getHelpSnippet()).contains("-Dkudu.master.addresses=host:port");
  }

  @Test
  void aJobShipsTheClientItsLibrariesAndItsOwnClasses() throws Exception {
    Job job = DelaysPerCarrier.job(new Configuration(false), "m:1");
    List<String> jars = List.of(job.getConfiguration().getStrings("tmpjars"));
    for (String type :
        List.of(
            "dev/kudu4j/mapreduce/KuduTableInputFormat",
            "dev/kudu4j/mapreduce/example/DelaysPerCarrier$DelayMapper",
            "dev/kudu4j/client/KuduClient",
            "dev/kudu4j/common/rpc/RpcServer",
            "com/google/protobuf/Message",
            "io/netty/channel/epoll/Epoll",
            "io/netty/handler/ssl/SslHandler")) {
      assertThat(jars).as(type).anyMatch(jar -> has(jar, type + ".class"));
    }
    assertThat(jars).noneMatch(jar -> jar.contains("hadoop-client") || jar.contains("slf4j"));
    assertThat(job.getConfiguration().getBoolean("mapreduce.job.user.classpath.first", false))
        .isTrue();
  }

  private static boolean has(String jar, String entry) {
    try (JarFile file = new JarFile(Path.of(URI.create(jar)).toFile())) {
      return file.getEntry(entry) != null;
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void existingJarsOfTheJobAreKept() throws Exception {
    Configuration conf = new Configuration(false);
    conf.set("tmpjars", "file:/mine.jar");
    conf.set("mapreduce.job.user.classpath.first", "false");
    KuduTableMapReduceUtil.addKuduDependencyJars(conf);
    KuduTableMapReduceUtil.addDependencyJars(conf, String.class, Configuration.class, null);
    assertThat(conf.getStrings("tmpjars")).contains("file:/mine.jar").hasSizeGreaterThan(5);
    assertThat(conf.get("mapreduce.job.user.classpath.first")).isEqualTo("false");
    for (String jar : conf.getStrings("tmpjars")) {
      assertThat(jar.equals("file:/mine.jar") || Files.isRegularFile(Path.of(URI.create(jar))))
          .as(jar)
          .isTrue();
    }
  }

  @Test
  void aTaskThatWritesNoTableGetsAnError() {
    var context =
        new MapContextImpl<>(
            new Configuration(false), new TaskAttemptID(), null, null, null, null, null);
    assertThatThrownBy(() -> KuduTableMapReduceUtil.getTableFromContext(context))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("does not write to a table")
        .hasMessageContaining("TableOutputFormatConfigurator");
  }
}
