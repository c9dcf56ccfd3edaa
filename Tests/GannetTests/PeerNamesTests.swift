import FoundationEssentials
import Testing

/// Every public type, protocol, constant and closure of SDWebImage 5.21 (its core), Kingfisher 8.11 and Nuke 13 by its name: each stands
/// on the page for those who come from there.
@Suite struct PeerNamesTests {
    @Test(arguments: [("sdwebimage", sdwebimage), ("kingfisher", kingfisher), ("nuke", nuke)])
    func everyPublicNameHasItsLine(_ peer: String, _ names: String) throws {
        let page = try String(
            contentsOf: ParityTests.root.appending(path: "Documentation/coming-from-\(peer).md"), encoding: .utf8)
        var words: Set<Substring> = []
        // Between back quotes, in the first column.
        for line in page.split(separator: "\n") where line.hasPrefix("| ") {
            let cell = line.dropFirst(2).prefix(upTo: line.firstRange(of: " | ")?.lowerBound ?? line.endIndex)
            words.formUnion(cell.split { !($0.isLetter || $0.isNumber || $0 == "_") })
        }
        let names = names.split { $0 == " " || $0 == "\n" }
        #expect(names.count > 70)
        for name in names { #expect(words.contains(name), "\(name)") }
    }

    private static let sdwebimage = """
        SDAnimatedImage SDAnimatedImageCoder SDAnimatedImagePlaybackMode SDAnimatedImagePlayer SDAnimatedImageProvider
        SDAnimatedImageRep SDAnimatedImageView SDCallbackPolicy SDCallbackQueue SDDiskCache SDExternalCompletionBlock
        SDGraphicsImageDrawingActions SDGraphicsImageRenderer SDGraphicsImageRendererFormat SDGraphicsImageRendererFormatRange
        SDImageAPNGCoder SDImageAWebPCoder SDImageBaseTransformer SDImageBlurTransformer SDImageCache
        SDImageCacheAdditionalCachePathBlock SDImageCacheCalculateSizeBlock SDImageCacheCheckCompletionBlock SDImageCacheConfig
        SDImageCacheConfigExpireType SDImageCacheContainsCompletionBlock SDImageCacheOptions SDImageCacheQueryCompletionBlock
        SDImageCacheQueryDataCompletionBlock SDImageCacheToken SDImageCacheType SDImageCachesManager
        SDImageCachesManagerOperationPolicy SDImageCoder SDImageCoderDecodeFileExtensionHint SDImageCoderDecodeFirstFrameOnly
        SDImageCoderDecodePreserveAspectRatio SDImageCoderDecodeScaleDownLimitBytes SDImageCoderDecodeScaleFactor
        SDImageCoderDecodeSolution SDImageCoderDecodeThumbnailPixelSize SDImageCoderDecodeToHDR
        SDImageCoderDecodeTypeIdentifierHint SDImageCoderDecodeUseLazyDecoding SDImageCoderEncodeBackgroundColor
        SDImageCoderEncodeCompressionQuality SDImageCoderEncodeEmbedThumbnail SDImageCoderEncodeFirstFrameOnly
        SDImageCoderEncodeMaxFileSize SDImageCoderEncodeMaxPixelSize SDImageCoderEncodeToHDR SDImageCoderHelper
        SDImageCoderMutableOptions SDImageCoderOption SDImageCoderOptions SDImageCodersManager SDImageCroppingTransformer
        SDImageFilterTransformer SDImageFlippingTransformer SDImageForceDecodePolicy SDImageFormat SDImageFrame SDImageGIFCoder
        SDImageHDRType SDImageHEICCoder SDImageIOAnimatedCoder SDImageIOCoder SDImageLoader SDImageLoaderCompletedBlock
        SDImageLoaderProgressBlock SDImageLoadersManager SDImagePipelineTransformer SDImageResizingTransformer
        SDImageRotationTransformer SDImageRoundCornerTransformer SDImageScaleMode SDImageTintTransformer SDImageTransformer
        SDInternalCompletionBlock SDMemoryCache SDProgressiveImageCoder SDRectCorner SDSetImageBlock
        SDWebImageActivityIndicator SDWebImageAnimationOptions SDWebImageCacheKeyFilter SDWebImageCacheKeyFilterBlock
        SDWebImageCacheSerializer SDWebImageCacheSerializerBlock SDWebImageCombinedOperation SDWebImageContext
        SDWebImageContextAnimatedImageClass SDWebImageContextCacheKeyFilter SDWebImageContextCacheSerializer
        SDWebImageContextCallbackQueue SDWebImageContextDownloadDecryptor SDWebImageContextDownloadRequestModifier
        SDWebImageContextDownloadResponseModifier SDWebImageContextImageCache SDWebImageContextImageCoder
        SDWebImageContextImageDecodeOptions SDWebImageContextImageDecodeToHDR SDWebImageContextImageEncodeOptions
        SDWebImageContextImageForceDecodePolicy SDWebImageContextImageLoader SDWebImageContextImagePreserveAspectRatio
        SDWebImageContextImageScaleDownLimitBytes SDWebImageContextImageScaleFactor SDWebImageContextImageThumbnailPixelSize
        SDWebImageContextImageTransformer SDWebImageContextImageTypeIdentifierHint SDWebImageContextLoaderCachedImage
        SDWebImageContextOption SDWebImageContextOriginalImageCache SDWebImageContextOriginalQueryCacheType
        SDWebImageContextOriginalStoreCacheType SDWebImageContextQueryCacheType SDWebImageContextSetImageOperationKey
        SDWebImageContextStoreCacheType SDWebImageDownloadFinishNotification SDWebImageDownloadReceiveResponseNotification
        SDWebImageDownloadStartNotification SDWebImageDownloadStopNotification SDWebImageDownloadToken SDWebImageDownloader
        SDWebImageDownloaderCompletedBlock SDWebImageDownloaderConfig SDWebImageDownloaderDecryptor
        SDWebImageDownloaderDecryptorBlock SDWebImageDownloaderExecutionOrder SDWebImageDownloaderOperation
        SDWebImageDownloaderOptions SDWebImageDownloaderProgressBlock SDWebImageDownloaderRequestModifier
        SDWebImageDownloaderRequestModifierBlock SDWebImageDownloaderResponseModifier SDWebImageDownloaderResponseModifierBlock
        SDWebImageErrorDomain SDWebImageErrorDownloadContentTypeKey SDWebImageErrorDownloadResponseKey
        SDWebImageErrorDownloadStatusCodeKey SDWebImageIndicator SDWebImageLoadState SDWebImageManager
        SDWebImageManagerDelegate SDWebImageMutableContext SDWebImageNoParamsBlock SDWebImageOperation SDWebImageOptions
        SDWebImageOptionsProcessor SDWebImageOptionsProcessorBlock SDWebImageOptionsResult SDWebImagePrefetchToken
        SDWebImagePrefetcher SDWebImagePrefetcherCompletionBlock SDWebImagePrefetcherDelegate SDWebImagePrefetcherProgressBlock
        SDWebImageProgressIndicator SDWebImageProgressUnitCountUnknown SDWebImageTransition SDWebImageTransitionAnimationsBlock
        SDWebImageTransitionCompletionBlock SDWebImageTransitionPreparesBlock
        """

    private static let kingfisher = """
        AVAssetImageDataProvider AVAssetImageDataProviderError AlignmentRectInsetsImageModifier AnimatedImageView
        AnimatedImageViewDelegate Animator AnyImageModifier AnyModifier AnyRedirectHandler AsyncImageDownloadRequestModifier
        AuthenticationChallengeResponsable AuthenticationChallengeResponsible Backend Base64ImageDataProvider
        BlackWhiteProcessor BlendImageProcessor BlurImageProcessor Border BorderImageProcessor Builder CIImageProcessor
        CacheCostCalculable CacheErrorReason CacheSerializer CacheStoreResult CacheType CallbackOperationQueue CallbackQueue
        CancelToken ColorControlsProcessor ColorElement CompositingImageProcessor Config ContentMode Context
        CroppingImageProcessor DataTransformable DefaultCacheSerializer DefaultImageProcessor DelayRetryStrategy Delegate
        DiskCachePathClosure DiskStorage DownloadProgressBlock DownloadTask DownloadTaskUpdatedBlock DownsamplingImageProcessor
        ExecutionQueue ExpirationExtending FileType Filter FlipsForRightToLeftLayoutDirectionImageModifier
        FormatIndicatedCacheSerializer GIFAnimatedImage HoldingView Identifier ImageCache ImageCacheResult ImageCreatingOptions
        ImageDataProvider ImageDownloadRedirectHandler ImageDownloadRequestModifier ImageDownloader ImageDownloaderDelegate
        ImageFormat ImageFrameSource ImageLoadingResult ImageModifier ImagePrefetcher ImageProcessItem ImageProcessor
        ImageProgressive ImageResource ImageSettingErrorReason ImageTransition Indicator IndicatorSizeStrategy IndicatorType
        IndicatorView Interval JPEGMarker KF KFAnimatedImage KFAnimatedImageViewRepresenter KFCrossPlatformButton
        KFCrossPlatformColor KFCrossPlatformImage KFCrossPlatformImageView KFCrossPlatformView KFImage KFImageHoldingView
        KFImageProtocol KFOptionSetter KingfisherCompatible KingfisherCompatibleValue KingfisherError
        KingfisherHasImageComponent KingfisherImageSettable KingfisherManager KingfisherOptionsInfo KingfisherOptionsInfoItem
        KingfisherParsedOptionsInfo KingfisherWrapper LivePhotoLoadingInfoResult LivePhotoResource
        LivePhotoResourceDownloadingResult LivePhotoSource LocalFileImageDataProvider MemoryStorage NetworkMetrics
        NetworkRetryStrategy OptionalProtocol OverlayImageProcessor PHPickerResultImageDataProvider
        PHPickerResultImageDataProviderError PhotosPickerItemImageDataProvider PhotosPickerItemImageDataProviderError
        Placeholder PrefetcherCompletionHandler PrefetcherProgressBlock PrefetcherSourceCompletionHandler
        PrefetcherSourceProgressBlock ProcessorErrorReason PropagationError Radius RawImageDataProvider RectCorner
        RedirectPayload RenderingModeImageModifier RenderingView RepeatCount RequestErrorReason ResizingImageProcessor Resource
        ResponseErrorReason RetrieveImageResult RetrieveLivePhotoResult RetryContext RetryDecision RetryStrategy
        RoundCornerImageProcessor SessionDataTask SessionDelegate Source StorageExpiration ThumbnailImageDataProvider
        ThumbnailImageDataProviderError TintImageProcessor Transformer UpdatingStrategy Value
        """

    private static let nuke = """
        Anonymous AssetType AsyncImageDecoding Border Cache CacheType Caches Cancellable Circle Composition Configuration
        ContentMode ContentModes CoreImageFilter DataCache DataCachePolicy DataCaching DataLoader DataLoading Default Delegate
        Destination DisappearBehavior Empty Error Event FetchImage FilenameGenerator GaussianBlur ImageCache ImageCacheKey
        ImageCaching ImageContainer ImageDecoderRegistry ImageDecoders ImageDecoding ImageDecodingContext ImageDecodingError
        ImageDisplayingView ImageEncoders ImageEncoding ImageEncodingContext ImageIO ImageLoadingOptions ImagePipeline
        ImagePipelineActor ImagePrefetcher ImageProcessing ImageProcessingContext ImageProcessingError ImageProcessingOptions
        ImageProcessors ImageRequest ImageResponse ImageTask LazyImage LazyImageState LazyImageView Nuke_ImageDisplaying
        Options PlatformColor PlatformImage PreviewPolicy Priority Progress RegistrationToken Resize RoundedCorners State
        Status SubviewPosition TaskQueue ThumbnailOptions TintColors Transition Unit UserInfoKey Video VideoPlayerView
        _PlatformBaseView
        """
}
