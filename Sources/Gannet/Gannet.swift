// Assembly only: what a program writes that loads and shows images, with one import. These are the names that `import Gannet` brings; members
// of all types are there, of named and unnamed ones.
//
// Parts of your own (coders, loaders, caches, transports, interceptors, observers) conform to the contracts of `GannetCore`, and import it
// too. Bytes without images are `GannetFetch`'s, decoding without a manager `GannetImages`'. Views come with the module of a toolkit,
// `GannetGTK`; programs that replace clocks import `GannetPlatform`.

@_exported public import GannetSandbox

@_exported public import class GannetCache.CachesManager
@_exported public import class GannetCache.DiskCache
@_exported public import struct GannetCache.DiskCacheConfiguration
@_exported public import class GannetCache.MemoryCache
@_exported public import struct GannetCache.MemoryCacheLimits
@_exported public import enum GannetCodecs.BuiltInCoders
@_exported public import enum GannetCore.AlphaMode
@_exported public import class GannetCore.AnimatedImage
@_exported public import struct GannetCore.AnimationInfo
@_exported public import struct GannetCore.Bitmap
@_exported public import struct GannetCore.ByteRope
@_exported public import enum GannetCore.CacheExpiration
@_exported public import enum GannetCore.CacheInfluence
@_exported public import struct GannetCore.CacheKey
@_exported public import protocol GannetCore.CacheKeyFilter
@_exported public import struct GannetCore.CacheOptions
@_exported public import struct GannetCore.CacheTier
@_exported public import struct GannetCore.CacheUsage
@_exported public import struct GannetCore.ColorSpace
@_exported public import protocol GannetCore.ContextKey
@_exported public import enum GannetCore.Credential
@_exported public import enum GannetCore.DecodeIsolation
@_exported public import struct GannetCore.DecodeLimits
@_exported public import struct GannetCore.DecodeOptions
@_exported public import enum GannetCore.DecodeTarget
@_exported public import enum GannetCore.DecodedImage
@_exported public import struct GannetCore.DownloadOptions
@_exported public import struct GannetCore.DynamicRange
@_exported public import enum GannetCore.EmbeddedThumbnailUse
@_exported public import struct GannetCore.EncodeOptions
@_exported public import struct GannetCore.EncodedImage
@_exported public import enum GannetCore.FrameSelection
@_exported public import struct GannetCore.Freshness
@_exported public import struct GannetCore.HTTPHeaders
@_exported public import protocol GannetCore.ImageDataProvider
@_exported public import struct GannetCore.ImageError
@_exported public import struct GannetCore.ImageFormat
@_exported public import struct GannetCore.ImageHeader
@_exported public import struct GannetCore.ImageMetadata
@_exported public import struct GannetCore.ImageRequest
@_exported public import enum GannetCore.ImageSource
@_exported public import protocol GannetCore.ImageSourceConvertible
@_exported public import struct GannetCore.ImageSummary
@_exported public import protocol GannetCore.ImageTransformer
@_exported public import struct GannetCore.LoadContext
@_exported public import struct GannetCore.LoadDeadlines
@_exported public import enum GannetCore.LoadEvent
@_exported public import struct GannetCore.LoadID
@_exported public import protocol GannetCore.LoadObserver
@_exported public import protocol GannetCore.LoadPolicy
@_exported public import enum GannetCore.LoadPriority
@_exported public import enum GannetCore.LoadStage
@_exported public import struct GannetCore.LoadTimings
@_exported public import struct GannetCore.LoadedImage
@_exported public import enum GannetCore.LookupPolicy
@_exported public import enum GannetCore.Orientation
@_exported public import struct GannetCore.PixelBuffer
@_exported public import enum GannetCore.PixelFormat
@_exported public import struct GannetCore.PixelLayout
@_exported public import struct GannetCore.PixelRect
@_exported public import struct GannetCore.PixelSize
@_exported public import struct GannetCore.PreviewPolicy
@_exported public import struct GannetCore.RequestOption
@_exported public import protocol GannetCore.RetryStrategy
@_exported public import struct GannetCore.ScheduleOptions
@_exported public import struct GannetCore.TargetSize
@_exported public import struct GannetCore.Timestamp
@_exported public import enum GannetCore.ToneMapping
@_exported public import struct GannetCore.TransformContext
@_exported public import struct GannetCore.TransformOptions
@_exported public import struct GannetCore.TransformScope
@_exported public import struct GannetCore.WebPOptions
@_exported public import struct GannetFetch.AuthenticationRealm
@_exported public import protocol GannetFetch.CookieJar
@_exported public import protocol GannetFetch.CredentialProvider
@_exported public import struct GannetFetch.DelayRetryStrategy
@_exported public import struct GannetFetch.DownloaderConfiguration
@_exported public import class GannetFetch.FailedSources
@_exported public import struct GannetFetch.FetchedBytes
@_exported public import class GannetFetch.HTTPLoader
@_exported public import class GannetFetch.LoadersManager
@_exported public import class GannetFetch.MemoryCookieJar
@_exported public import struct GannetFetch.NetworkRetryStrategy
@_exported public import struct GannetFetch.RedirectPolicy
@_exported public import enum GannetImages.BlurHash
@_exported public import struct GannetImages.BorderStyle
@_exported public import class GannetImages.CodersManager
@_exported public import enum GannetImages.CornerRadius
@_exported public import struct GannetImages.Corners
@_exported public import class GannetImages.ImageManager
@_exported public import class GannetImages.ImagePrefetcher
@_exported public import class GannetImages.ImageTask
@_exported public import enum GannetImages.ImageTaskEvent
@_exported public import struct GannetImages.LivePhoto
@_exported public import struct GannetImages.LivePhotoResource
@_exported public import struct GannetImages.LoadProgress
@_exported public import struct GannetImages.ManagerCache
@_exported public import struct GannetImages.ManagerConfiguration
@_exported public import struct GannetImages.PeerCache
@_exported public import struct GannetImages.PixelColor
@_exported public import class GannetImages.PrefetchBatch
@_exported public import enum GannetImages.ThumbHash
@_exported public import enum GannetKernels.BlendMode
@_exported public import enum GannetKernels.ResampleFilter

#if HTTP
    @_exported public import GannetHTTP
#endif
